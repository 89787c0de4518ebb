import { setTimeout as wait } from 'node:timers/promises';
import { postEvent } from './event-post.js';
import type { EventTarget } from './event-target.js';
import type { Json } from '../store/json.js';
import type { Random } from '../control/random.js';
import { Shuffler } from './reorder.js';
import type { Switches } from '../control/switches.js';

/** How one event fared at one target. */
export interface Delivery {
  /** Scheme, host and port; the rest of an address may hold a secret. */
  readonly origin: string;
  readonly tries: number;
  /** Of the last try; `null` when it had no answer. */
  readonly status: number | null;
  readonly outcome: 'waiting' | 'delivered' | 'given up';
}

export interface Parcelled {
  readonly contextId: number;
  readonly body: Json;
  readonly target: EventTarget;
  /** The target's number among all of them. */
  readonly place: number;
  readonly report: (delivery: Delivery) => void;
}

interface Waiting extends Parcelled {
  /** On the clock of `performance.now()`. */
  readonly notBeforeMs: number;
}

/** The way of one area's events to one target. */
interface Lane {
  readonly key: string;
  readonly shuffler: Shuffler<Waiting>;
  /** Resolves when the last event that has come so far lets the next one pass. */
  last: Promise<void>;
}

/**
 * Posts events at least once: a try that was not taken is repeated, after longer and longer waits. Within one area and
 * target they go one after the other, unless the switches say otherwise.
 */
export class EventDelivery {
  private readonly lanes = new Map<string, Lane>();
  private readonly closing = new AbortController();
  private underway = 0;
  private idlers: readonly (() => void)[] = [];

  constructor(
    private readonly switches: () => Switches,
    private readonly random: Random,
  ) {}

  send(event: Parcelled): void {
    const { eventDelayMs, eventOrder } = this.switches();
    const waiting = { ...event, notBeforeMs: performance.now() + eventDelayMs };
    const lane = this.laneOf(event);
    this.underway += 1;
    if (eventOrder === 'shuffled') lane.shuffler.put(waiting);
    else this.lineUp(lane, waiting);
  }

  /** Resolves when nothing is waiting to be sent. */
  async idle(): Promise<void> {
    if (this.underway > 0) await new Promise<void>((resolve) => (this.idlers = [...this.idlers, resolve]));
  }

  /** Gives up what has not been delivered. */
  async close(): Promise<void> {
    this.closing.abort();
    for (const { shuffler } of this.lanes.values()) shuffler.flush();
    await this.idle();
  }

  private laneOf({ contextId, target, place }: Parcelled): Lane {
    // The whole target: two of them may share an address. The order in line outlives a change of targets.
    const key = `${contextId} ${JSON.stringify(target)}`;
    const known = this.lanes.get(key);
    if (known !== undefined) return known;
    const shuffler = new Shuffler<Waiting>(
      () => this.random.next(`events of area ${contextId} to ${place}`),
      (event) => this.lineUp(lane, event),
    );
    const lane: Lane = { key, shuffler, last: Promise.resolve() };
    this.lanes.set(key, lane);
    return lane;
  }

  private lineUp(lane: Lane, event: Waiting): void {
    const last = lane.last.then(() => this.letGo(event));
    lane.last = last;
    void last.then(() => {
      if (lane.last === last && lane.shuffler.isEmpty) this.lanes.delete(lane.key);
    });
  }

  /** Resolves when the next event of the lane may go. */
  private async letGo(event: Waiting): Promise<void> {
    await this.pause(event.notBeforeMs - performance.now());
    const isOver = await this.attempt(event, 1);
    const end = (isOver ? Promise.resolve() : this.repeat(event)).then(() => this.conclude());
    if (this.switches().headOfLineBlocking) await end;
  }

  private async repeat(event: Waiting): Promise<void> {
    let tries = 1;
    do {
      const { eventRetryFirstMs, eventRetryLongestMs } = this.switches();
      await this.pause(Math.min(eventRetryFirstMs * 2 ** (tries - 1), eventRetryLongestMs));
      tries += 1;
    } while (!(await this.attempt(event, tries)));
  }

  /** @returns whether this was the last try */
  private async attempt({ target, body, report }: Waiting, tries: number): Promise<boolean> {
    if (this.closing.signal.aborted) return true;
    const status = await postEvent(target, body, this.closing.signal);
    const isLast = tries >= this.switches().eventTries;
    const outcome = isTaken(target, status) ? 'delivered' : isLast ? 'given up' : 'waiting';
    report({ origin: new URL(target.url).origin, tries, status, outcome });
    return outcome !== 'waiting';
  }

  private conclude(): void {
    this.underway -= 1;
    if (this.underway > 0) return;
    const waiting = this.idlers;
    this.idlers = [];
    for (const resolve of waiting) resolve();
  }

  private async pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    await wait(ms, undefined, { signal: this.closing.signal, ref: false }).catch(() => undefined);
  }
}

function isTaken({ ignoreStatusCodes = [] }: EventTarget, status: number | null): boolean {
  if (status === null) return false;
  return (status >= 200 && status < 300) || ignoreStatusCodes.includes(status);
}
