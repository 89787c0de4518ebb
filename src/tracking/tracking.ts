import { type Interval, startInterval } from '../worker/interval.js';
import { createRunner } from '../worker/runner.js';
import { withTimeout } from '../worker/with-timeout.js';
import { applyStored } from './callbacks/apply-callbacks.js';
import { readFeed } from './polling/feed.js';
import { pollDue } from './polling/poll.js';
import { beginPolling } from './polling/poll-rows.js';
import { type CallbackInbox, createInbox } from './callbacks/inbox.js';
import { retryFailed } from './callbacks/callback-rows.js';
import { createRetention } from './parcels/retention.js';
import { dueOutboxEntries, giveBackOutboxEntries } from './ims-updates/outbox-rows.js';
import { type TrackingQueries, trackingQueries } from './parcels/tracking-queries.js';
import { REGISTERED_AT_ONCE, registerEnded } from './parcels/register.js';
import { callingCarriers, warnOfMissingCallbacks } from './callbacks/missing.js';
import { warnOfParcelsWithoutAccount } from './parcels/without-account.js';
import type { TrackingContext } from './context.js';
import { type Callbacks, createCallbacks } from './callbacks/receive.js';
import { deliver } from './ims-updates/deliver-updates.js';

/** Finds callbacks that a dead instance has stored and not applied. */
const APPLY_EVERY_MS = 2_000;
/** How long a burst of callbacks is only stored. */
const MAX_HELD_BACK_MS = 15_000;
/** In a longer burst, applying pauses for this multiple of its working time, so that storing goes first. */
const REST_SHARE = 5;
const MAX_REST_MS = 1_000;
const REGISTER_EVERY_MS = 1_000;
const POLL_EVERY_MS = 2_000;
/** The pause after a round without an answer. */
const POLL_REST_MS = 30_000;
const DELIVER_EVERY_MS = 1_000;
const RETENTION_EVERY_MS = 10 * 60_000;
const CHECK_EVERY_MS = 3_600_000;
/** The limit of one search. */
const MAX_ENTRIES = 20;
/** Parcels that begin to be polled now get their first poll within this time. */
const FIRST_POLLS_WITHIN_MS = 3_600_000;
/** Parcels of carriers with callbacks get their first poll within this time. */
const FIRST_CHECKS_WITHIN_MS = 24 * 3_600_000;

/** The running work of tracking. */
export interface Tracking {
  readonly callbacks: Callbacks;
  readonly queries: TrackingQueries;
  /** Starts nothing new. @returns when running work has ended, or after this time */
  stop(withinMs: number): Promise<void>;
}

export function startTracking(tracking: TrackingContext): Tracking {
  const { booking: context } = tracking;
  let stopped = false;
  const isStopped = () => stopped;
  const outboxEntries = createRunner((id) => deliver(tracking, id), context.log);
  /**
   * Repeats a step until it has handled fewer than `count` rows. Rows that arrive later wait for the next round, which
   * handles them together.
   */
  const whileAtLeast = (count: number, step: () => Promise<number>) => async () => {
    while (!stopped && (await step()) >= count);
  };
  const loop = (name: string, everyMs: number, work: () => Promise<void>) =>
    startInterval({ name, everyMs, work, log: context.log });
  const inbox = createInbox(context.database);
  const applyRetention = createRetention(tracking);
  const applying = loop('apply callbacks', APPLY_EVERY_MS, whileAtLeast(1, createApplier(tracking, inbox)));
  const others = [
    loop(
      'register parcels',
      REGISTER_EVERY_MS,
      whileAtLeast(REGISTERED_AT_ONCE, () => registerEnded(tracking)),
    ),
    loop('update the IMS', DELIVER_EVERY_MS, async () => {
      outboxEntries.wake(await dueOutboxEntries(context.database, context.clock.now(), MAX_ENTRIES));
    }),
    loop('delete old tracking', RETENTION_EVERY_MS, async () => {
      while (!stopped && (await applyRetention()));
    }),
    loop('look for carriers that do not call', CHECK_EVERY_MS, () => warnOfMissingCallbacks(tracking)),
    loop('look for parcels without an account', CHECK_EVERY_MS, () => warnOfParcelsWithoutAccount(tracking)),
    ...pollLoops(tracking, isStopped),
    ...feedLoops(tracking, isStopped),
  ];
  return {
    callbacks: createCallbacks(tracking, inbox, applying.soon),
    queries: trackingQueries(
      context.database,
      context.clock,
      callingCarriers(tracking.callbacks.keys(), context.accounts),
    ),
    stop: async (withinMs) => {
      stopped = true;
      const ended = Promise.all([applying, ...others].map((each) => each.stop()));
      await withTimeout(Promise.all([ended, outboxEntries.stop(withinMs)]), withinMs, () => undefined);
      if (outboxEntries.running().length > 0)
        await giveBackOutboxEntries(context.database, context.lease.owner).catch(() => undefined);
    },
  };
}

/**
 * Applies stored callbacks, one batch a call. Between batches it waits, in proportion to the time that the last one took, so
 * that callbacks which arrive meanwhile are applied together and the database has time for bookings.
 * @returns applies the next batch, and says how many callbacks were in it
 */
function createApplier(tracking: TrackingContext, inbox: CallbackInbox): () => Promise<number> {
  /** The time that the batch before took; `null`: there was none, or it was empty. */
  let tookMs: number | null = null;
  let retried = false;
  return async () => {
    if (!retried) await retryFailed(tracking.booking.database);
    retried = true;
    await inbox.calm(tookMs === null ? MAX_HELD_BACK_MS : Math.min(MAX_REST_MS, tookMs * REST_SHARE));
    const began = Date.now();
    const count = await applyStored(tracking);
    tookMs = count === 0 ? null : Date.now() - began;
    return count;
  };
}

/** One loop for each polled account, so that a carrier that hangs delays no other. */
function pollLoops(tracking: TrackingContext, isStopped: () => boolean): readonly Interval[] {
  const { booking: context, callbacks } = tracking;
  const polled = [...context.accounts.values()].filter(({ carrier }) => carrier.track !== undefined);
  return polled.map((account) => {
    const ms = callbacks.has(account.name) ? FIRST_CHECKS_WITHIN_MS : FIRST_POLLS_WITHIN_MS;
    let adopted = false;
    let restsUntil = new Date(0);
    const work = async () => {
      if (context.clock.now() < restsUntil) return;
      if (!adopted) {
        await beginPolling(context.database, account.name, { from: context.clock.now(), ms });
        adopted = true;
      }
      const { answers } = await pollDue(tracking, account, isStopped);
      if (!answers) restsUntil = new Date(context.clock.now().getTime() + POLL_REST_MS);
    };
    return startInterval({ name: `poll ${account.name}`, everyMs: POLL_EVERY_MS, work, log: context.log });
  });
}

/** One loop for each account whose carrier tells what changed in it. Settings in the IMS are of sellers: they name no one account. */
function feedLoops(tracking: TrackingContext, isStopped: () => boolean): readonly Interval[] {
  const { accounts, log } = tracking.booking;
  const fed = [...accounts.values()].filter(({ carrier, settle }) => carrier.trackChanges !== undefined && !settle);
  return fed.map((account) => {
    const work = async () => void (await readFeed(tracking, account, isStopped));
    return startInterval({ name: `changes of ${account.name}`, everyMs: POLL_EVERY_MS, work, log });
  });
}
