import { setTimeout as wait } from 'node:timers/promises';
import type { CallProof, SimulatedCall, SimulatedEvent, Simulator } from '../../../carriers/contract/simulator.js';
import { type Switches, retryDelayMs } from '../control/switches.js';
import type { CallbackTarget } from './callback-target.js';

/**
 * How a callback is sent. `twice`: repeated at once. `forged`: signed with a wrong secret. `stale`: signed with a time
 * one hour ago. `truncated`: with the first half of its body.
 */
export const MANNERS = ['once', 'twice', 'forged', 'stale', 'truncated'] as const;

export type CallbackManner = (typeof MANNERS)[number];

/** The state of one callback. */
export interface Called {
  readonly carrier: string;
  readonly trackingNumber: string;
  readonly status: string;
  readonly manner: CallbackManner;
  readonly attempts: number;
  /** The same under its first name. */
  readonly tries: number;
  /** HTTP status of the last attempt; `null` when it got no response. */
  readonly answer: number | null;
  readonly outcome: 'waiting' | 'taken' | 'given up';
}

export interface WantedCall {
  readonly carrier: string;
  readonly event: SimulatedEvent;
  readonly manner: CallbackManner;
  readonly delayMs: number;
}

const TRY_TIMEOUT_MS = 30_000;
const AGE_OF_STALE_MS = 3_600_000;
/** A well-formed secret that no account uses. */
const FOREIGN_SECRET = `whsec_${Buffer.from('a secret that nobody has').toString('base64')}`;
/** Number of the latest callbacks that the sandbox remembers. */
const MAX_REMEMBERED = 10_000;

export interface CallSettings {
  readonly simulators: ReadonlyMap<string, Simulator>;
  readonly switches: () => Switches;
  readonly now: () => Date;
}

/**
 * Sends the callbacks of all carriers. It retries a failed genuine callback (`once`, `twice`) with the attempts and
 * backoff of IMS events; others get one attempt.
 */
export class CallbackCalls {
  private targets: readonly CallbackTarget[] = [];
  private readonly called: { current: Called }[] = [];
  private readonly closing = new AbortController();
  private readonly underway = new Set<Promise<void>>();

  constructor(private readonly settings: CallSettings) {}

  /** @throws Error for an unknown carrier, a carrier without callbacks, or a secret that it cannot sign with */
  setTargets(targets: readonly CallbackTarget[]): void {
    for (const { carrier, secret } of targets) this.checkTarget(carrier, secret);
    this.targets = targets;
  }

  allTargets(): readonly CallbackTarget[] {
    return this.targets;
  }

  all(): readonly Called[] {
    return this.called.map(({ current }) => current);
  }

  /** Sends the callback to all targets of its carrier. */
  make(wanted: WantedCall): void {
    const simulator = this.settings.simulators.get(wanted.carrier);
    if (!simulator?.callback) return;
    for (const target of this.targets.filter(({ carrier }) => carrier === wanted.carrier)) {
      const prepare = (proof: CallProof) => simulator.callback?.(wanted.event, proof);
      const call = this.deliver(target, wanted, prepare).finally(() => this.underway.delete(call));
      this.underway.add(call);
    }
  }

  /** Aborts all pending callbacks. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.underway);
  }

  private checkTarget(carrier: string, secret: string): void {
    const simulator = this.settings.simulators.get(carrier);
    if (!simulator) throw new Error(`carrier: there is no "${carrier}"`);
    if (!simulator.callback) throw new Error(`carrier: "${carrier}" makes no callbacks`);
    const at = this.settings.now();
    const event = { id: '', trackingNumber: '', status: 'registered', at, place: '' } as const;
    try {
      simulator.callback(event, { secret, sentAt: at });
    } catch (cause) {
      throw new Error(`secret: "${carrier}" cannot sign with it`, { cause });
    }
  }

  private async deliver(
    target: CallbackTarget,
    { carrier, event, manner, delayMs }: WantedCall,
    prepare: (proof: CallProof) => SimulatedCall | undefined,
  ): Promise<void> {
    const { trackingNumber, status } = event;
    const record = this.remember({
      ...{ carrier, trackingNumber, status, manner, attempts: 0, tries: 0, answer: null, outcome: 'waiting' },
    });
    await this.pause(delayMs);
    const isGenuine = manner === 'once' || manner === 'twice';
    const maxAttempts = isGenuine ? this.settings.switches().eventTries : 1;
    for (let attempts = 1; record.current.outcome === 'waiting'; attempts += 1) {
      const call = prepare(proofFor(manner, target.secret, this.settings.now()));
      const answer = await this.post(target.url, call, manner);
      const isOver = attempts >= maxAttempts || this.closing.signal.aborted;
      const outcome = isTaken(answer) ? 'taken' : isOver ? 'given up' : 'waiting';
      record.current = { ...record.current, attempts, tries: attempts, answer, outcome };
      if (outcome === 'waiting') await this.pause(retryDelayMs(this.settings.switches(), attempts));
    }
  }

  private remember(called: Called): { current: Called } {
    const record = { current: called };
    this.called.push(record);
    if (this.called.length > MAX_REMEMBERED) this.called.shift();
    return record;
  }

  /** @returns the status of the response, of the second one for `twice`; `null` when there was none */
  private async post(url: string, call: SimulatedCall | undefined, manner: CallbackManner): Promise<number | null> {
    if (!call) return null;
    const whole = Buffer.from(call.body);
    const body = manner === 'truncated' ? whole.subarray(0, Math.floor(whole.length / 2)) : whole;
    const headers = { ...call.headers, 'content-type': 'application/json' };
    const first = await this.send(url, headers, body);
    return manner === 'twice' ? this.send(url, headers, body) : first;
  }

  private async send(url: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<number | null> {
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(TRY_TIMEOUT_MS)]);
    try {
      const answer = await fetch(url, { method: 'POST', headers, body: Buffer.from(body), redirect: 'manual', signal });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      // Every error counts as a failed attempt.
      return null;
    }
  }

  private async pause(ms: number): Promise<void> {
    if (ms > 0) await wait(ms, undefined, { signal: this.closing.signal, ref: false }).catch(() => undefined);
  }
}

function proofFor(manner: CallbackManner, secret: string, now: Date): CallProof {
  const sentAt = manner === 'stale' ? new Date(now.getTime() - AGE_OF_STALE_MS) : now;
  return { secret: manner === 'forged' ? FOREIGN_SECRET : secret, sentAt };
}

function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
