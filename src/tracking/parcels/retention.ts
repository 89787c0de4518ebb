import { dropOldNumbers } from '../../consignment/ledger/parcel-number-rows.js';
import { dropOldWanted } from '../polling/poll-rows.js';
import { MAX_TRACKED_MS } from '../polling/schedule.js';
import { dropOldCallbacks } from '../callbacks/callback-rows.js';
import { dropUnclaimedEvents } from '../events/event-rows.js';
import { dropOldParcels, endOldParcels } from './parcel-rows.js';
import type { TrackingContext } from '../context.js';

const DAY_MS = 24 * 3_600_000;
/** Parcels are registered within seconds of their booking, or within days where a person had to resolve it. */
const UNCLAIMED_KEPT_MS = 14 * DAY_MS;
/** The limit of one statement. */
const MAX_AT_ONCE = 1_000;

/**
 * Ends tracking of old parcels and deletes old rows. A callback whose row was deleted counts as new when it comes again,
 * and changes nothing.
 * @returns whether there may be more
 */
export async function applyRetention({ booking: context, keptDays }: TrackingContext): Promise<boolean> {
  const { database, clock, log } = context;
  const now = clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  const ended = await endOldParcels(database, before(MAX_TRACKED_MS), now);
  const bodies = await dropOldCallbacks(database, before(keptDays.callbacks * DAY_MS), MAX_AT_ONCE);
  const unclaimed = await dropUnclaimedEvents(database, before(UNCLAIMED_KEPT_MS), MAX_AT_ONCE);
  const wanted = await dropOldWanted(database, before(UNCLAIMED_KEPT_MS), MAX_AT_ONCE);
  const parcels = await dropOldParcels(database, before(keptDays.parcels * DAY_MS), MAX_AT_ONCE);
  const numbers = await dropOldNumbers(database, before(MAX_TRACKED_MS), MAX_AT_ONCE);
  const dropped = { bodies, unclaimed, wanted, parcels, numbers };
  if (ended + bodies + unclaimed + wanted + parcels + numbers > 0) log.info('tracking tidied', { ended, ...dropped });
  return Object.values(dropped).includes(MAX_AT_ONCE);
}
