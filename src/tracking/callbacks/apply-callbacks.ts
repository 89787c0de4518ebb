import { DatabaseUnavailable, type Sql } from '../../db/database.js';
import { applyEvents, lockTracking } from '../events/apply-events.js';
import { pollNow } from '../polling/poll-rows.js';
import {
  type StoredCallback,
  markApplied,
  markFailed,
  noteHeard,
  storedCallback,
  storedCallbacks,
} from './callback-rows.js';
import { type NewTrackingEvent, parcelKey } from '../events/tracking-event-rows.js';
import type { TrackingContext } from '../context.js';
import { isDataError } from '../../db/data-error.js';

/** The limits of one transaction; small, so that callbacks that arrive meanwhile do not wait long. */
const MAX_AT_ONCE = { callbacks: 100, events: 2_000 };

/**
 * Applies some stored callbacks in one transaction. If that fails, each is applied by itself, so that one that can
 * never be stored does not block the others.
 * @returns how many; 0: none is left
 */
export async function applyStored(tracking: TrackingContext): Promise<number> {
  try {
    return await apply(tracking, (sql) => storedCallbacks(sql, MAX_AT_ONCE));
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    return applyEach(tracking);
  }
}

async function apply(
  { booking: context, options }: TrackingContext,
  take: (sql: Sql) => Promise<readonly StoredCallback[]>,
): Promise<number> {
  const now = context.clock.now();
  const { applied, fresh } = await context.database.transaction(async (sql) => {
    await lockTracking(sql);
    const stored = await take(sql);
    if (stored.length === 0) return { applied: 0, fresh: [] };
    const events = stored.flatMap(({ account, outcome }) => outcome.events.map((event) => ({ account, event })));
    const polls = stored.flatMap(pollsOf);
    const found = await applyEvents(sql, events, { options, now, polled: new Set(polls.map(parcelKey)) });
    await pollNow(sql, polls, now);
    await noteHeard(sql, stored);
    await markApplied(
      sql,
      stored.map((callback) => callback.id),
    );
    return { applied: stored.length, fresh: found };
  });
  if (applied > 0) context.log.debug('callbacks applied', { callbacks: applied, events: fresh.length });
  logUnrecognised({ booking: context, fresh });
  return applied;
}

async function applyEach(tracking: TrackingContext): Promise<number> {
  const { database } = tracking.booking;
  const waiting = await storedCallbacks(database, MAX_AT_ONCE);
  const errors: unknown[] = [];
  for (const callback of waiting) {
    try {
      await apply(tracking, (sql) => storedCallback(sql, callback.id));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      if (isDataError(error)) await giveUp(tracking, callback, error);
      else errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return waiting.length;
}

async function giveUp(
  { booking: context }: TrackingContext,
  { id, account }: StoredCallback,
  error: unknown,
): Promise<void> {
  await markFailed(context.database, id, error instanceof Error ? error.message : String(error));
  context.log.error('callback not applied', { callback: id, account, error });
}

function pollsOf({ account, outcome }: StoredCallback) {
  return outcome.poll.map((trackingNumber) => ({ account, trackingNumber }));
}

/** Logs codes that the adapter's table lacks. */
export function logUnrecognised({
  booking: context,
  fresh,
}: Pick<TrackingContext, 'booking'> & { readonly fresh: readonly NewTrackingEvent[] }) {
  const unrecognised = fresh.filter((event) => event.status === 'unrecognised');
  const codes = new Set(unrecognised.map(({ account, code }) => `${account}: ${code ?? '-'}`));
  if (codes.size > 0)
    context.log.warn('tracking codes not recognised', { codes: [...codes], events: unrecognised.length });
}
