import type { Clock } from '../../carriers/contract/adapter.js';
import type { Log } from '../log.js';
import {
  type CircuitEvent,
  type CircuitRules,
  type CircuitState,
  type Moment,
  NO_OUTAGE,
  isHalfOpen,
  isProbeDue,
  isRemembered,
  next,
} from './circuit-breaker.js';

/** Failures in a row without an answer between them, … */
const FAILURES_TO_OPEN = 5;
/** … and of how many consignments, before the circuit opens: one consignment may fail for reasons of its own. */
const CONSIGNMENTS_TO_OPEN = 3;
/** Answered bookings in a row after which an outage is forgotten. */
const ANSWERS_TO_FORGET = 10;
/** The delay before a rejected consignment looks again, … */
const LOOK_AGAIN_MS = 500;
/** … and the longest delay, also when the next probe is later: another instance may see the carrier answer. */
const LOOK_AGAIN_AT_LEAST_MS = 5_000;
/** Longer than the adapter with the longest deadline waits for a booking. */
const TRIAL_ENDS_WITHIN_MS = 120_000;
const PROBE_ENDS_WITHIN_MS = 15_000;

/** What a call shows about the carrier. `nothing`: it was not sent, or our own code failed. */
export type CallOutcome = 'answers' | 'down' | 'nothing';

/** The end of one run in the bulkhead. */
export interface CallEnd {
  readonly outcome: CallOutcome;
  readonly retryAfterMs: number | null;
  /** Whether a booking was sent whose answer was lost. */
  readonly lost: boolean;
}

export interface Caller {
  /** The id of the consignment. */
  readonly consignment: string;
  /** `aside`: it may come to another server than bookings, and shows nothing about that one. It is never the trial. */
  readonly purpose: 'booking' | 'other' | 'aside';
}

/** Permission for one run; `ended` must be called in every case. */
export interface Permit {
  ended(end: CallEnd): void;
}

export type Entry =
  | { readonly kind: 'in'; readonly permit: Permit }
  /** Nothing may be sent; look again after this time. */
  | { readonly kind: 'rejected'; readonly forMs: number };

/** `half-open`: the next booking is the trial. */
export type BreakerState = 'closed' | 'half-open' | 'open';

/** The circuits that all instances share. */
export interface CircuitStore {
  /** Applies a change to the row of an account, under a lock. `nowMs` is the database's clock. */
  change(account: string, change: (state: CircuitState, nowMs: number) => CircuitState): Promise<CircuitChange>;
}

export interface CircuitChange {
  readonly before: CircuitState;
  readonly after: CircuitState;
  readonly nowMs: number;
}

export interface CircuitTools {
  /** Its name in the log and in the store. */
  readonly account: string;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly log: Log;
  /** Default: no probe, and the carrier has a lookup for bookings. */
  readonly rules?: CircuitRules;
  /** Missing: this process is alone, and its circuit ends with it. */
  readonly store?: CircuitStore;
  /** Identifies this process in the store. */
  readonly owner?: string;
  /** Called after each change of the stage. */
  readonly changed?: () => void;
}

const ORDINARY: CircuitRules = { probe: 'no', lostAnswers: 'carrier' };

/**
 * The circuit of an account as this process sees it. It decides by local state: an event counts here at once and is
 * then stored for the others, whose changes arrive with `learn`. Only a trial is requested from the store first, so
 * that one instance sends it.
 * It opens after several failures in a row, or with the first lost answer where only a person can find out the outcome.
 */
export class AccountCircuit {
  private known: CircuitRules;
  private state: CircuitState = NO_OUTAGE;
  /** How far the database's clock is ahead of ours. */
  private aheadMs = 0;
  private failures = 0;
  private failing: ReadonlySet<string> = new Set();
  private answered = 0;
  private rejections = 0;
  private taken = 0;
  /** Counts the changes between open and closed: calls from before the last one prove nothing. */
  private epoch = 0;
  /** Local events that are not stored yet, in order. */
  private pendingEvents: readonly CircuitEvent[] = [];
  private storing: Promise<void> | null = null;

  constructor(private readonly tools: CircuitTools) {
    this.known = tools.rules ?? ORDINARY;
  }

  get rules(): CircuitRules {
    return this.known;
  }

  circuitState(): BreakerState {
    if (this.state.stage === 'closed') return 'closed';
    return isHalfOpen(this.state, this.nowMs(), this.rules) ? 'half-open' : 'open';
  }

  isOpen(): boolean {
    return this.state.stage !== 'closed';
  }

  /** Whether nothing has shown that the carrier answers: no probe was answered since, or a booking failed in spite of one. */
  seemsDown(): boolean {
    const { stage, failedTrials, probeAnswered = false } = this.state;
    return stage === 'open' || (stage === 'half-open' && (failedTrials > 0 || !probeAnswered));
  }

  /** Whether an outage was so recent that bookings begin one by one. */
  isCautious(): boolean {
    return isRemembered(this.state, this.nowMs());
  }

  /** Counts a rejected call. @returns for how long calls are rejected, in milliseconds; `null`: `enter` decides */
  rejectsFor(): number | null {
    if (this.circuitState() !== 'open') return null;
    this.rejections += 1;
    return this.lookAgainMs();
  }

  /** Decides at once while it is closed; a trial is requested from the store. */
  enter(caller: Caller): Entry | Promise<Entry> {
    if (this.state.stage === 'closed') return { kind: 'in', permit: this.permit(caller) };
    const forMs = this.rejectsFor();
    if (forMs !== null) return { kind: 'rejected', forMs };
    return this.isFree(caller) ? { kind: 'in', permit: { ended: () => undefined } } : this.tryOut();
  }

  /** The carrier answers probes, so calls that book nothing may be sent. */
  private isFree({ purpose }: Caller): boolean {
    if (purpose === 'aside') return true;
    return this.rules.probe === 'yes' && purpose === 'other' && this.state.stage === 'half-open';
  }

  private lookAgainMs(): number {
    const { stage, nextMs } = this.state;
    const untilMs = stage === 'open' ? Math.max(LOOK_AGAIN_MS, nextMs - this.nowMs()) : LOOK_AGAIN_MS;
    return Math.round(this.tools.store ? Math.min(untilMs, LOOK_AGAIN_AT_LEAST_MS) : untilMs);
  }

  private permit({ consignment }: Caller): Permit {
    const entered = this.epoch;
    let over = false;
    return {
      ended: (end) => {
        if (over) return;
        over = true;
        if (entered === this.epoch) this.countWhileClosed(consignment, end);
        else if (end.lost) this.happened({ kind: 'lost' });
      },
    };
  }

  private countWhileClosed(consignment: string, { outcome, retryAfterMs, lost }: CallEnd): void {
    if (outcome === 'answers') {
      [this.failures, this.failing] = [0, new Set()];
      this.answered += 1;
      if (this.answered === ANSWERS_TO_FORGET && this.state.closedMs !== null) this.happened({ kind: 'settled' });
    }
    if (outcome !== 'down') return;
    this.answered = 0;
    this.failures += 1;
    this.failing = new Set(this.failing).add(consignment);
    const many = this.failures >= FAILURES_TO_OPEN && this.failing.size >= CONSIGNMENTS_TO_OPEN;
    const dear = lost && this.rules.lostAnswers === 'person';
    if (many || dear) this.happened({ kind: 'failed', lost: lost ? 1 : 0, retryAfterMs });
  }

  private tryOut(): Entry | Promise<Entry> {
    const rejected = (): Entry => ({ kind: 'rejected', forMs: LOOK_AGAIN_MS });
    const id = this.nextId();
    const granted = this.take({ kind: 'take-trial', id, forMs: TRIAL_ENDS_WITHIN_MS });
    if (typeof granted === 'boolean') return granted ? { kind: 'in', permit: this.trial(id) } : rejected();
    return granted.then(
      (isOurs): Entry => (isOurs ? { kind: 'in', permit: this.trial(id) } : rejected()),
      // Without the database nothing can be booked either.
      () => rejected(),
    );
  }

  private trial(id: string): Permit {
    return {
      ended: ({ outcome, retryAfterMs, lost }) => {
        if (outcome === 'answers') this.happened({ kind: 'trial-answered', id });
        else if (outcome === 'nothing') this.happened({ kind: 'trial-returned', id });
        else this.happened({ kind: 'trial-failed', id, lost: lost ? 1 : 0, retryAfterMs });
      },
    };
  }

  isProbeDue(): boolean {
    return isProbeDue(this.state, this.nowMs(), this.rules);
  }

  /** Notes that this instance has nothing to probe with, until it sends a probe again. */
  cannotProbe(): void {
    this.known = { ...this.known, probe: 'not-here' };
  }

  /**
   * Sends a probe when one is due and no other instance sends it.
   * @param probe throws when the carrier does not answer
   */
  async probeWhenDue(probe: () => Promise<void>): Promise<void> {
    if (!this.isProbeDue()) return;
    this.known = { ...this.known, probe: 'yes' };
    const id = this.nextId();
    if (!(await this.take({ kind: 'take-probe', id, forMs: PROBE_ENDS_WITHIN_MS }))) return;
    try {
      await probe();
      this.happened({ kind: 'probe-answered', id });
    } catch (error) {
      const retryAfterMs = (error as { readonly retryAfterMs?: number | null } | null)?.retryAfterMs ?? null;
      this.happened({ kind: 'probe-failed', id, retryAfterMs });
    }
  }

  /** Takes over the stored state; local events that are not stored yet are applied on top. */
  learn(stored: CircuitState, nowMs: number): void {
    if (this.pendingEvents.length > 0 || this.storing !== null || stored.changes < this.state.changes) return;
    this.aheadMs = nowMs - this.tools.clock.now().getTime();
    this.become(stored);
  }

  /** Stores the events that could not be stored before. */
  async flush(): Promise<void> {
    if (this.storing === null && this.pendingEvents.length > 0) this.storing = this.store();
    await this.storing;
  }

  private happened(event: CircuitEvent): void {
    const before = this.state;
    this.become(next(before, event, this.moment(this.nowMs())));
    if (!this.tools.store) return this.tell(event, before, this.state);
    this.pendingEvents = [...this.pendingEvents, event];
    void this.flush();
  }

  private take(event: Extract<CircuitEvent, { kind: 'take-probe' | 'take-trial' }>): boolean | Promise<boolean> {
    const { store, account } = this.tools;
    if (!store) {
      this.become(next(this.state, event, this.moment(this.nowMs())));
      return this.state.holder?.id === event.id;
    }
    return this.flush().then(async () => {
      const { after, nowMs } = await store.change(account, (state, now) => this.following(state, event, now));
      this.learn(after, nowMs);
      return after.holder?.id === event.id;
    });
  }

  private async store(): Promise<void> {
    const { store, account, log } = this.tools;
    try {
      for (let [event] = this.pendingEvents; store && event; [event] = this.pendingEvents) {
        const happened = event;
        const { before, after, nowMs } = await store.change(account, (state, now) =>
          this.following(state, happened, now),
        );
        this.pendingEvents = this.pendingEvents.slice(1);
        this.tell(happened, before, after);
        if (this.pendingEvents.length > 0) continue;
        this.aheadMs = nowMs - this.tools.clock.now().getTime();
        this.become(after);
      }
    } catch (error) {
      log.warn('circuit not stored yet', { account, error });
    } finally {
      this.storing = null;
    }
  }

  private following(state: CircuitState, event: CircuitEvent, nowMs: number): CircuitState {
    return next(state, event, this.moment(nowMs));
  }

  private become(state: CircuitState): void {
    const stageChanged = state.stage !== this.state.stage;
    this.state = state;
    if (!stageChanged) return;
    this.epoch += 1;
    [this.failures, this.failing, this.answered] = [0, new Set(), 0];
    this.tools.changed?.();
  }

  /** Logged by the instance that saw it first, once when the circuit opens and once when it closes. */
  private tell({ kind }: CircuitEvent, before: CircuitState, after: CircuitState): void {
    const { account, log } = this.tools;
    if (before.stage === 'closed' && after.stage !== 'closed')
      log.warn('carrier does not answer', { account, lostAnswers: after.lost });
    if (kind !== 'trial-answered' || before.stage === 'closed' || after.stage !== 'closed') return;
    const { failedProbes, failedTrials, lost, sinceMs } = after;
    const forMs = Math.round((after.closedMs ?? 0) - sinceMs);
    const { rejections } = this;
    log.info('carrier answers again', { account, forMs, failedProbes, failedTrials, lostAnswers: lost, rejections });
    this.rejections = 0;
  }

  private nextId(): string {
    this.taken += 1;
    return `${this.tools.owner ?? 'alone'} ${this.taken}`;
  }

  private moment(nowMs: number): Moment {
    return { nowMs, random: this.tools.random(), rules: this.rules };
  }

  private nowMs(): number {
    return this.tools.clock.now().getTime() + this.aheadMs;
  }
}
