import { carrierError } from '../../../carriers/contract/classify.js';
import { CarrierUnavailable } from '../../../carriers/contract/errors.js';
import type { TrackingChanges, TrackingEvent } from '../../../carriers/contract/tracking.js';
import type { Account } from '../../accounts/account.js';
import { BulkheadRejected } from '../../accounts/bulkhead.js';
import { isDataError } from '../../db/data-error.js';
import { logUnrecognised } from '../callbacks/apply-callbacks.js';
import type { TrackingContext } from '../context.js';
import { applyEvents, lockTracking } from '../events/apply-events.js';
import type { NewTrackingEvent } from '../events/tracking-event-rows.js';
import { type FeedCall, endFeedCall, takeFeedCall } from './feed-rows.js';
import { notePolled } from './poll-rows.js';
import { isLoginRefused, noteLoginAccepted, noteLoginRefused } from './refused-logins.js';
import { pollAgainAt } from './schedule.js';

/** The limit of calls in one round; what is left waits for the next one. */
const MAX_CALLS = 20;
/** Longer than a call and its wait in the bulkhead. */
const TAKEN_FOR_MS = 10 * 60_000;
/** An answer that leads back to itself is not asked for again at once, whatever the carrier says. */
const REST_OF_LOOP_MS = 5 * 60_000;
const MAX_REST_MS = 6 * 3_600_000;

/** A call of this instance. */
interface Taken extends FeedCall {
  readonly until: Date;
}

/** Asks what changed in an account, as long as more is waiting. @returns how many calls were made */
export async function readFeed(tracking: TrackingContext, account: Account, isStopped: () => boolean): Promise<number> {
  const { database, clock } = tracking.booking;
  for (let calls = 0; calls < MAX_CALLS; calls += 1) {
    if (isStopped() || account.bulkhead.circuitState() === 'open') return calls;
    const now = clock.now();
    const until = new Date(now.getTime() + TAKEN_FOR_MS);
    const fed = { account: account.name, carrierId: account.adapter.id };
    const call = await takeFeedCall(database, fed, { now, until });
    if (call === null) return calls;
    await makeCall(tracking, account, { ...call, until });
  }
  return MAX_CALLS;
}

async function makeCall(tracking: TrackingContext, account: Account, call: Taken): Promise<void> {
  let changes: TrackingChanges;
  try {
    changes = await pollChanges(account, call);
  } catch (error) {
    return postpone(tracking, account, { call, error });
  }
  const fresh = await keepWhatCan(tracking, account, { call, changes });
  await notePolled(tracking.booking.database, account.name, tracking.booking.clock.now());
  await noteLoginAccepted(tracking.booking.database, account.name);
  logUnrecognised({ booking: tracking.booking, fresh });
}

/** Polls in the bulkhead; no failure opens the circuit for bookings, as where parcels are polled. */
function pollChanges({ name, carrier, bulkhead }: Account, { cursor }: FeedCall): Promise<TrackingChanges> {
  const trackChanges = async () => {
    if (!carrier.trackChanges) throw new Error(`account ${name} has no feed of changes`);
    return carrier.trackChanges(cursor);
  };
  return bulkhead.circuitState() === 'half-open' ? trackChanges() : bulkhead.run(`tracking:${name}`, trackChanges);
}

interface Answer {
  readonly call: Taken;
  readonly changes: TrackingChanges;
}

/** Stores events one by one after a failure, so that one that can never be stored does not hold up the account. */
async function keepWhatCan(
  tracking: TrackingContext,
  account: Account,
  { call, changes }: Answer,
): Promise<readonly NewTrackingEvent[]> {
  const { log } = tracking.booking;
  try {
    return await keep(tracking, account, { events: changes.events, ended: { call, changes } });
  } catch (error) {
    if (!isDataError(error)) throw error;
  }
  const fresh: NewTrackingEvent[] = [];
  for (const event of changes.events) {
    try {
      fresh.push(...(await keep(tracking, account, { events: [event] })));
    } catch (error) {
      if (!isDataError(error)) throw error;
      log.error('tracking event not kept', { account: account.name, trackingNumber: event.trackingNumber, error });
    }
  }
  await keep(tracking, account, { events: [], ended: { call, changes } });
  return fresh;
}

/** Stores events and, when the call has ended, where the next one begins: in one transaction, so that no event is lost between them. */
function keep(
  { booking: context, options }: TrackingContext,
  { name: account }: Account,
  { events, ended }: { readonly events: readonly TrackingEvent[]; readonly ended?: Answer },
): Promise<readonly NewTrackingEvent[]> {
  const now = context.clock.now();
  return context.database.transaction(async (sql) => {
    await lockTracking(sql);
    if (ended) await endFeedCall(sql, account, endOf(ended, now));
    const known = events.map((event) => ({ account, event }));
    return applyEvents(sql, known, { options, now });
  });
}

function endOf({ call: { until, cursor: last }, changes: { cursor, waitMs } }: Answer, now: Date) {
  const restMs = Math.max(waitMs, cursor === last ? REST_OF_LOOP_MS : 0);
  return { until, cursor, callsFailed: 0, dueAt: new Date(now.getTime() + Math.min(restMs, MAX_REST_MS)) };
}

/** The cursor stays: what has changed meanwhile comes with the next answer. */
async function postpone(
  { booking: context }: TrackingContext,
  { name: account }: Account,
  { call, error }: { readonly call: Taken; readonly error: unknown },
): Promise<void> {
  const isRejected = error instanceof BulkheadRejected;
  const known = isRejected ? error : carrierError(error, 'read');
  const retryAfterMs = known instanceof CarrierUnavailable ? known.retryAfterMs : null;
  const dueAt = pollAgainAt({ now: context.clock.now(), random: context.random() }, call.callsFailed, retryAfterMs);
  const callsFailed = isRejected ? call.callsFailed : call.callsFailed + 1;
  await endFeedCall(context.database, account, { ...call, dueAt, callsFailed });
  if (isLoginRefused(known)) return noteLoginRefused(context, { account, error: known });
  context.log[isRejected ? 'info' : 'warn']('tracking feed not answered', { account, error: known });
}
