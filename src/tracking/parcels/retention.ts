import { dropOldNumbers } from '../../consignment/ledger/parcel-number-rows.js';
import { dropOldWanted } from '../polling/poll-rows.js';
import { MAX_TRACKED_MS } from '../polling/schedule.js';
import { dropOldCallbacks } from '../callbacks/callback-rows.js';
import { dropUnclaimedEvents } from '../events/event-rows.js';
import { dropOldParcels, endOldParcels } from './parcel-rows.js';
import type { TrackingContext } from '../context.js';

const DAY_MS = 24 * 3_600_000;
/**
 * Bodies are kept so that people can look at what a carrier sent. After that the same body counts as new, and changes
 * nothing.
 */
const BODIES_KEPT_MS = 30 * DAY_MS;
/** Parcels are registered within seconds of their booking, or within days where a person had to resolve it. */
const UNCLAIMED_KEPT_MS = 14 * DAY_MS;
/** Claims on a carrier lapse after a year. */
const PARCELS_KEPT_MS = 400 * DAY_MS;
/** The limit of one statement. */
const MAX_AT_ONCE = 1_000;

/** Ends tracking of old parcels and deletes old rows. @returns whether there may be more */
export async function applyRetention({ booking: context }: TrackingContext): Promise<boolean> {
  const { database, clock, log } = context;
  const now = clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  const ended = await endOldParcels(database, before(MAX_TRACKED_MS), now);
  const bodies = await dropOldCallbacks(database, before(BODIES_KEPT_MS), MAX_AT_ONCE);
  const unclaimed = await dropUnclaimedEvents(database, before(UNCLAIMED_KEPT_MS), MAX_AT_ONCE);
  const wanted = await dropOldWanted(database, before(UNCLAIMED_KEPT_MS), MAX_AT_ONCE);
  const parcels = await dropOldParcels(database, before(PARCELS_KEPT_MS), MAX_AT_ONCE);
  const numbers = await dropOldNumbers(database, before(MAX_TRACKED_MS), MAX_AT_ONCE);
  const dropped = { bodies, unclaimed, wanted, parcels, numbers };
  if (ended + bodies + unclaimed + wanted + parcels + numbers > 0) log.info('tracking tidied', { ended, ...dropped });
  return Object.values(dropped).includes(MAX_AT_ONCE);
}
