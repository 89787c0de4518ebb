import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Database } from '../../db/database.js';
import { type FailedSpan, countFailedBookings } from '../overview/failed-bookings.js';
import { countLeftOpen } from '../overview/not-told.js';

const FRESH_FOR_MS = 2_000;

/**
 * Bookings whose parcels cannot leave, tasks that were given up, and return labels in doubt; at most 2,000 of each.
 * @param area `null`: of all
 */
export type CountNeedsPerson = (area: string | null) => Promise<number>;

/** Every page shows the number: one that is younger than two seconds is given again. */
export function needsPersonCounter({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): CountNeedsPerson {
  const kept = new Map<string | null, { readonly atMs: number; readonly number: Promise<number> }>();
  return (area) => {
    const now = clock.now();
    const known = kept.get(area);
    if (known && now.getTime() - known.atMs < FRESH_FOR_MS) return known.number;
    const number = counted(database, { area, now });
    kept.set(area, { atMs: now.getTime(), number });
    number.catch(() => kept.delete(area));
    return number;
  };
}

async function counted(database: Database, span: FailedSpan): Promise<number> {
  return (await countFailedBookings(database, span)) + (await countLeftOpen(database, span));
}
