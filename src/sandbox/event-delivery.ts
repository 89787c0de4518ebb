import { setTimeout as wait } from 'node:timers/promises';
import type { Json } from './json.js';
import type { Switches } from './switches.js';

const TRY_TIMEOUT_MS = 30_000;

/** Who is told of events. */
export interface EventTarget {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

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
  readonly report: (delivery: Delivery) => void;
}

/**
 * Posts events one after the other: within one area and target an event waits until the one before it was taken or given
 * up. A try without a 2xx answer is repeated, after longer and longer waits.
 */
export class EventDelivery {
  private readonly queues = new Map<string, Promise<void>>();
  private readonly closing = new AbortController();

  constructor(private readonly switches: () => Switches) {}

  send(event: Parcelled): void {
    const key = `${event.contextId} ${event.target.url}`;
    const before = this.queues.get(key) ?? Promise.resolve();
    this.queues.set(
      key,
      before.then(() => this.deliver(event)),
    );
  }

  /** Resolves when nothing is waiting to be sent. */
  async idle(): Promise<void> {
    const waiting = [...this.queues.values()];
    await Promise.all(waiting);
    const more = [...this.queues.values()].some((queue) => !waiting.includes(queue));
    if (more) await this.idle();
  }

  /** Gives up what has not been delivered. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.idle();
  }

  private async deliver(event: Parcelled): Promise<void> {
    const { origin } = new URL(event.target.url);
    for (let tries = 1; !this.closing.signal.aborted; tries += 1) {
      const status = await this.post(event);
      const taken = status !== null && status >= 200 && status < 300;
      const last = tries >= this.switches().eventTries;
      const outcome = taken ? 'delivered' : last ? 'given up' : 'waiting';
      event.report({ origin, tries, status, outcome });
      if (outcome !== 'waiting') return;
      await this.pauseAfter(tries);
    }
  }

  /** @returns the status; `null` without an answer */
  private async post({ target, body }: Parcelled): Promise<number | null> {
    try {
      const answer = await fetch(target.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...target.headers },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.any([this.closing.signal, AbortSignal.timeout(TRY_TIMEOUT_MS)]),
      });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      // Whatever went wrong, the event was not taken and is tried again.
      return null;
    }
  }

  private async pauseAfter(tries: number): Promise<void> {
    const { eventRetryFirstMs, eventRetryLongestMs } = this.switches();
    const ms = Math.min(eventRetryFirstMs * 2 ** (tries - 1), eventRetryLongestMs);
    await wait(ms, undefined, { signal: this.closing.signal, ref: false }).catch(() => undefined);
  }
}
