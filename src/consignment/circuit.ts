import type { Clock } from '../../carriers/contract/adapter.js';
import type { Log } from '../log.js';
import { openForMs } from './retry.js';

/** So many failures in a row, with nothing answered between them, … */
const FAILURES_TO_OPEN = 5;
/** … and of so many consignments: one that fails for reasons of its own says nothing about its neighbours. */
const CONSIGNMENTS_TO_OPEN = 3;
/** Who is turned away while somebody tries looks again about then. */
const LOOK_AGAIN_MS = 500;

/** What a call says about its carrier. `nothing`: it never came to that, or our own code failed. */
export type Sign = 'answers' | 'down' | 'nothing';

/** Permission for one visit; `ended` has to be called, whatever comes of it. */
export interface Pass {
  ended(sign: Sign, retryAfterMs: number | null): void;
}

export type Entry =
  | { readonly kind: 'in'; readonly pass: Pass }
  /** Nothing may leave; look again in so many milliseconds. */
  | { readonly kind: 'barred'; readonly forMs: number };

/** Whom it would let in now. `one`: whoever comes first finds out whether the carrier answers again. */
export type Admission = 'all' | 'one' | 'nobody';

type State =
  | { readonly kind: 'closed'; readonly failures: number; readonly consignments: ReadonlySet<string> }
  | { readonly kind: 'open'; readonly untilMs: number }
  | { readonly kind: 'probing' };

/** Since when it is not closed, and what happened since. */
interface Outage {
  readonly sinceMs: number;
  readonly failedProbes: number;
}

const CLOSED: State = { kind: 'closed', failures: 0, consignments: new Set() };

/** Around a circuit. */
export interface CircuitTools {
  /** For the log. */
  readonly account: string;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly log: Log;
}

/**
 * Whether the carrier of an account answers, as far as this process has seen. Keeps everybody away from one that does not:
 * it opens after some failures in a row; after a while, which grows from 5 s to 60 s, exactly one call is let through: an
 * answer closes it, a failure opens it again. It says so once when it opens and once when it closes.
 */
export class Circuit {
  private state: State = CLOSED;
  private outage: Outage | null = null;
  private turnedAway = 0;
  /** Calls that left before the last change of mind say nothing about what came afterwards. */
  private epoch = 0;

  constructor(private readonly tools: CircuitTools) {}

  admits(): Admission {
    if (this.state.kind === 'closed') return 'all';
    return this.state.kind === 'open' && this.state.untilMs <= this.nowMs() ? 'one' : 'nobody';
  }

  /** @returns in how many milliseconds to look again, `null` when `enter` would let somebody in */
  turnAway(): number | null {
    if (this.admits() !== 'nobody') return null;
    this.turnedAway += 1;
    return this.state.kind === 'open' ? this.state.untilMs - this.nowMs() : LOOK_AGAIN_MS;
  }

  /** @param consignment who asks, by id */
  enter(consignment: string): Entry {
    const forMs = this.turnAway();
    if (forMs !== null) return { kind: 'barred', forMs };
    if (this.admits() === 'one') this.become({ kind: 'probing' });
    return { kind: 'in', pass: this.pass(consignment) };
  }

  private pass(consignment: string): Pass {
    const entered = this.epoch;
    let over = false;
    return {
      ended: (sign, retryAfterMs) => {
        if (over || entered !== this.epoch) return;
        over = true;
        if (this.outage !== null) this.probed(sign, retryAfterMs, this.outage);
        else if (sign === 'down') this.failed(consignment, retryAfterMs);
        else if (sign === 'answers') this.state = CLOSED;
      },
    };
  }

  private failed(consignment: string, retryAfterMs: number | null): void {
    if (this.state.kind !== 'closed') return;
    const failures = this.state.failures + 1;
    const consignments = new Set(this.state.consignments).add(consignment);
    this.state = { kind: 'closed', failures, consignments };
    if (failures < FAILURES_TO_OPEN || consignments.size < CONSIGNMENTS_TO_OPEN) return;
    this.open({ sinceMs: this.nowMs(), failedProbes: 0 }, retryAfterMs);
    const { account, log } = this.tools;
    log.warn('carrier does not answer', { account, failures, consignments: consignments.size });
  }

  private probed(sign: Sign, retryAfterMs: number | null, outage: Outage): void {
    if (sign === 'answers') this.close(outage);
    else if (sign === 'down') this.open({ ...outage, failedProbes: outage.failedProbes + 1 }, retryAfterMs);
    // It did not come to an answer: the next one tries.
    else this.become({ kind: 'open', untilMs: this.nowMs() });
  }

  private open(outage: Outage, retryAfterMs: number | null): void {
    this.outage = outage;
    const forMs = openForMs(outage.failedProbes, retryAfterMs, this.tools.random());
    this.become({ kind: 'open', untilMs: this.nowMs() + forMs });
  }

  private close({ sinceMs, failedProbes }: Outage): void {
    this.become(CLOSED);
    const { account, log } = this.tools;
    const { turnedAway } = this;
    log.info('carrier answers again', { account, forMs: this.nowMs() - sinceMs, failedProbes, turnedAway });
    this.outage = null;
    this.turnedAway = 0;
  }

  private become(state: State): void {
    this.state = state;
    this.epoch += 1;
  }

  private nowMs(): number {
    return this.tools.clock.now().getTime();
  }
}
