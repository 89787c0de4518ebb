import { type WorkStep, runSteps } from '../../worker/steps.js';
import { dropOldNumbers } from '../../consignment/ledger/parcel-number-rows.js';
import { dropOldWanted } from '../polling/poll-rows.js';
import { MAX_TRACKED_MS } from '../polling/schedule.js';
import { dropOldCallbacks } from '../callbacks/callback-rows.js';
import { dropUnclaimedEvents, placeAmongEvents } from '../events/tracking-event-rows.js';
import { dropOldParcels, endOldParcels } from './parcel-rows.js';
import type { TrackingContext } from '../context.js';

const DAY_MS = 24 * 3_600_000;
/** Parcels are registered within seconds of their booking, or within days where a person had to resolve it. */
const UNCLAIMED_KEPT_MS = 14 * DAY_MS;
/** The limit of one statement. */
const MAX_AT_ONCE = 1_000;
/** Events that one statement looks at; on the embedded database every booking waits for it: about 0.1 s. */
const EVENTS_OF_A_PAGE = 10_000;

/**
 * Ends tracking of old parcels and deletes old rows, so many of each kind a round. A callback whose row was deleted counts as
 * new when it comes again, and changes nothing.
 * @returns a round; whether there may be more
 */
export function createRetention({ booking: context, keptDays }: TrackingContext): () => Promise<boolean> {
  const { database, clock, log, random } = context;
  // A pass over millions of events takes days. Each process begins at another place, so that restarts hide no events from it.
  let unclaimedAfter: string | null = null;
  const before = (ms: number) => new Date(clock.now().getTime() - ms);
  const dropUnclaimed = async () => {
    const page = {
      after: unclaimedAfter ?? (await placeAmongEvents(database, random())),
      before: before(UNCLAIMED_KEPT_MS),
      size: EVENTS_OF_A_PAGE,
      limit: MAX_AT_ONCE,
    };
    const { dropped, after } = await dropUnclaimedEvents(database, page);
    unclaimedAfter = after;
    return dropped;
  };
  const steps: readonly WorkStep[] = [
    ['ended', () => endOldParcels(database, before(MAX_TRACKED_MS), clock.now())],
    ['bodies', () => dropOldCallbacks(database, before(keptDays.callbacks * DAY_MS), MAX_AT_ONCE)],
    ['unclaimed', dropUnclaimed],
    ['wanted', () => dropOldWanted(database, before(UNCLAIMED_KEPT_MS), MAX_AT_ONCE)],
    ['parcels', () => dropOldParcels(database, before(keptDays.parcels * DAY_MS), MAX_AT_ONCE)],
    ['numbers', () => dropOldNumbers(database, before(MAX_TRACKED_MS), MAX_AT_ONCE)],
  ];
  return async () => {
    const done = await runSteps(steps, { work: 'delete old tracking', log });
    const counts = Object.values(done);
    if (counts.some((count) => count > 0)) log.info('tracking tidied', done);
    return counts.includes(MAX_AT_ONCE);
  };
}
