import { setTimeout as wait } from 'node:timers/promises';
import { postEvent } from './event-post.js';
import type { EventTarget } from './event-target.js';
import type { Json } from '../store/json.js';
import type { RandomStreams } from '../control/random.js';
import { Shuffler } from './reorder.js';
import { type Switches, retryDelayMs } from '../control/switches.js';

/** The state of the delivery of one event to one subscriber. */
export interface DeliveryState {
  /** Scheme, host and port of the target; the rest of its URL may hold a secret. */
  readonly origin: string;
  readonly attempts: number;
  /** The same under its first name. */
  readonly tries: number;
  /** HTTP status of the last attempt; `null` when it got no response. */
  readonly status: number | null;
  readonly outcome: 'waiting' | 'delivered' | 'given up';
}

export interface Parcelled {
  readonly contextId: number;
  readonly body: Json;
  readonly target: EventTarget;
  /** The target's index in the list of targets. */
  readonly place: number;
  readonly report: (delivery: DeliveryState) => void;
}

interface Waiting extends Parcelled {
  /** Earliest time of the first attempt, on the clock of `performance.now()`. */
  readonly notBeforeMs: number;
}

/** The queue of one area's events for one target. */
interface Queue {
  readonly key: string;
  readonly shuffler: Shuffler<Waiting>;
  /** Resolves when the last event in the queue lets the next one start. */
  last: Promise<void>;
}

/**
 * Delivers events at least once: it retries a failed attempt with exponential backoff. It delivers the events of one
 * area to one target in sequence, unless the switches say otherwise.
 */
export class EventDelivery {
  private readonly queues = new Map<string, Queue>();
  private readonly closing = new AbortController();
  private underway = 0;
  private idlers: readonly (() => void)[] = [];

  constructor(
    private readonly switches: () => Switches,
    private readonly random: RandomStreams,
  ) {}

  send(event: Parcelled): void {
    const { eventDelayMs, eventOrder } = this.switches();
    const waiting = { ...event, notBeforeMs: performance.now() + eventDelayMs };
    const queue = this.queueOf(event);
    this.underway += 1;
    if (eventOrder === 'shuffled') queue.shuffler.put(waiting);
    else this.enqueue(queue, waiting);
  }

  /** Resolves when no delivery is pending. */
  async idle(): Promise<void> {
    if (this.underway > 0) await new Promise<void>((resolve) => (this.idlers = [...this.idlers, resolve]));
  }

  /** Aborts all pending deliveries. */
  async close(): Promise<void> {
    this.closing.abort();
    for (const { shuffler } of this.queues.values()) shuffler.flush();
    await this.idle();
  }

  private queueOf({ contextId, target, place }: Parcelled): Queue {
    // The key holds the whole target, because two targets may have the same URL. The queue of a target that stays
    // continues when the list of targets is replaced.
    const key = `${contextId} ${JSON.stringify(target)}`;
    const known = this.queues.get(key);
    if (known !== undefined) return known;
    const shuffler = new Shuffler<Waiting>(
      () => this.random.next(`events of area ${contextId} to ${place}`),
      (event) => this.enqueue(queue, event),
    );
    const queue: Queue = { key, shuffler, last: Promise.resolve() };
    this.queues.set(key, queue);
    return queue;
  }

  private enqueue(queue: Queue, event: Waiting): void {
    const last = queue.last.then(() => this.deliver(event));
    queue.last = last;
    void last.then(() => {
      if (queue.last === last && queue.shuffler.isEmpty) this.queues.delete(queue.key);
    });
  }

  /** Delivers the event. Resolves when the next event of the queue may start. */
  private async deliver(event: Waiting): Promise<void> {
    await this.pause(event.notBeforeMs - performance.now());
    const isOver = await this.attempt(event, 1);
    const end = (isOver ? Promise.resolve() : this.repeat(event)).then(() => this.conclude());
    if (this.switches().headOfLineBlocking) await end;
  }

  private async repeat(event: Waiting): Promise<void> {
    let attempts = 1;
    do {
      await this.pause(retryDelayMs(this.switches(), attempts));
      attempts += 1;
    } while (!(await this.attempt(event, attempts)));
  }

  /** @returns whether no further attempt follows */
  private async attempt({ target, body, report }: Waiting, attempts: number): Promise<boolean> {
    if (this.closing.signal.aborted) return true;
    const status = await postEvent(target, body, this.closing.signal);
    const isLast = attempts >= this.switches().eventTries;
    const outcome = isTaken(target, status) ? 'delivered' : isLast ? 'given up' : 'waiting';
    report({ origin: new URL(target.url).origin, attempts, tries: attempts, status, outcome });
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
