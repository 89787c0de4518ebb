import { LinkRefused, NoAnswer } from '../../carriers/contract/http-port.js';
import type { Clock } from '../../carriers/contract/adapter.js';
import { startInterval } from '../worker/interval.js';
import { createRunner } from '../worker/runner.js';
import { withTimeout } from '../worker/with-timeout.js';
import type { Database } from '../db/database.js';
import type { Log } from '../log.js';
import {
  type Delivery,
  type DeliveryEnd,
  claimDelivery,
  dropOldDeliveries,
  endAttempt,
  giveBackDeliveries,
  readNews,
  subscribersDue,
} from './delivery-rows.js';
import { signedHeaders } from './signature.js';
import { type Subscriber, findSubscriber } from './subscriber-rows.js';
import { nextAttemptAt } from './retry-schedule.js';

const LOOK_EVERY_MS = 500;
const RETENTION_EVERY_MS = 10 * 60_000;
const MAX_DELETED = 1_000;
/** Concurrent calls to one subscriber, so that one that hangs delays no other. */
const CONCURRENCY = 8;
const TIMEOUT_MS = 10_000;
/** Longer than an attempt takes, with its writes. */
const LEASE_MS = 30_000;
const MAX_ANSWER_BYTES = 100_000;
const GONE = 410;

/** What webhooks use; put together once, in `src/app/app.ts`. */
export interface WebhookContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** The owner of this process's leases. */
  readonly owner: string;
  /** @returns the status of the answer. @throws LinkRefused | NoAnswer */
  readonly post: (
    url: string,
    post: {
      readonly body: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly timeoutMs: number;
      readonly maxBytes: number;
    },
  ) => Promise<number>;
}

/**
 * Sends tracking events to subscribers. @returns stops it: starts nothing new, and ends with the running calls or after
 * this time
 */
export function startWebhooks(context: WebhookContext): { stop(withinMs: number): Promise<void> } {
  let stopped = false;
  const senders = createRunner((sender) => work(context, subscriberOf(sender), () => stopped), context.log);
  const look = async () => {
    const due = await subscribersDue(context.database, context.clock.now());
    senders.wake(due.flatMap(sendersOf));
  };
  const deleteOld = async () => {
    while (!stopped && (await dropOldDeliveries(context.database, context.clock.now(), MAX_DELETED)) === MAX_DELETED);
  };
  const loops = [
    startInterval({ name: 'deliver webhooks', everyMs: LOOK_EVERY_MS, work: look, log: context.log }),
    startInterval({ name: 'delete old webhooks', everyMs: RETENTION_EVERY_MS, work: deleteOld, log: context.log }),
  ];
  return {
    stop: async (withinMs) => {
      stopped = true;
      const ended = Promise.all(loops.map((loop) => loop.stop()));
      await withTimeout(Promise.all([ended, senders.stop(withinMs)]), withinMs, () => undefined);
      if (senders.running().length > 0)
        await giveBackDeliveries(context.database, context.owner).catch(() => undefined);
    },
  };
}

function sendersOf(subscriberId: string): readonly string[] {
  return Array.from({ length: CONCURRENCY }, (_, sender) => `${subscriberId}/${sender}`);
}

function subscriberOf(sender: string): string {
  return sender.slice(0, sender.lastIndexOf('/'));
}

/** Delivers to one subscriber until nothing is due. */
async function work(context: WebhookContext, subscriberId: string, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const now = context.clock.now();
    const lease = { owner: context.owner, now, until: new Date(now.getTime() + LEASE_MS) };
    const delivery = await claimDelivery(context.database, subscriberId, lease);
    if (delivery === null) return;
    // Read each time, because it may have been deleted or have a new secret.
    const subscriber = await findSubscriber(context.database, subscriberId);
    if (subscriber === null) return;
    const ending = await deliver(context, subscriber, delivery);
    await endAttempt(context.database, { delivery, owner: context.owner }, ending);
    // Stops until the next search, so that a failing address is not called in a tight loop.
    if (ending.state !== 'done') return;
  }
}

/** Posts first and stores the result then: after a crash in between, the event is posted again under the same id. */
async function deliver(context: WebhookContext, subscriber: Subscriber, delivery: Delivery): Promise<DeliveryEnd> {
  const news = await readNews(context.database, delivery);
  const now = context.clock.now();
  if (news === null) return ended('dead', 'the event is not kept any more', now);
  const body = JSON.stringify(news);
  const headers = signedHeaders(subscriber, { id: delivery.webhookId, body, now });
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES };
  try {
    const status = await context.post(subscriber.url, { body, headers, ...limits });
    if (status >= 200 && status < 300) return ended('done', null, context.clock.now());
    return failed(context, delivery, { note: `answered ${status}`, again: status !== GONE });
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof LinkRefused)) throw error;
    return failed(context, delivery, { note: error.message, again: true });
  }
}

function failed(
  { clock, random, log }: WebhookContext,
  delivery: Delivery,
  { note, again }: { readonly note: string; readonly again: boolean },
): DeliveryEnd {
  const now = clock.now();
  const dueAt = again ? nextAttemptAt(delivery, now, random()) : null;
  const { id, subscriberId: subscriber } = delivery;
  log[dueAt === null ? 'error' : 'warn']('webhook not delivered', {
    delivery: id,
    subscriber,
    note,
    again: dueAt !== null,
  });
  return dueAt === null ? ended('dead', note, now) : { state: 'open', note, dueAt, endedAt: null };
}

function ended(state: 'done' | 'dead', note: string | null, endedAt: Date): DeliveryEnd {
  return { state, note, dueAt: null, endedAt };
}
