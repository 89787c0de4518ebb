const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Nobody delivers later; a parcel that is still open then is left alone. */
export const LONGEST_TRACKED_MS = 60 * DAY_MS;

/** How often carriers without callbacks are asked for a parcel: often while it moves, rarely when it lies somewhere. */
const INTERVALS: readonly { readonly untilAgeMs: number; readonly everyMs: number }[] = [
  { untilAgeMs: 2 * DAY_MS, everyMs: 2 * HOUR_MS },
  { untilAgeMs: 7 * DAY_MS, everyMs: 4 * HOUR_MS },
  { untilAgeMs: 14 * DAY_MS, everyMs: 8 * HOUR_MS },
  { untilAgeMs: 30 * DAY_MS, everyMs: DAY_MS },
  { untilAgeMs: LONGEST_TRACKED_MS, everyMs: 2 * DAY_MS },
];

const FIRST_ASK_MS = HOUR_MS;
/** Parcels that were registered together are not asked for together for ever. */
const SPREAD = 0.2;

/** Carriers that call are asked so rarely, for what their calls have left out. */
const CHECK_MS = DAY_MS;

/** When the carrier of a parcel calls, and is asked for it all the same. @param random from 0 to below 1 @returns `null`: it is too old */
export function nextCheckAt(registeredAt: Date, now: Date, random: number): Date | null {
  if (now.getTime() - registeredAt.getTime() >= LONGEST_TRACKED_MS) return null;
  return new Date(now.getTime() + Math.round(CHECK_MS * (1 + SPREAD * (random - 0.5))));
}

/** When a parcel is asked for the first time. @param random from 0 to below 1 */
export function firstPollAt(registeredAt: Date, random: number): Date {
  return new Date(registeredAt.getTime() + Math.round(FIRST_ASK_MS * (1 + random)));
}

/**
 * When a parcel is asked for again.
 * @param random from 0 to below 1: moves it by up to a tenth to either side
 * @returns `null`: it is too old
 */
export function nextPollAt(registeredAt: Date, now: Date, random: number): Date | null {
  const ageMs = now.getTime() - registeredAt.getTime();
  const interval = INTERVALS.find(({ untilAgeMs }) => ageMs < untilAgeMs);
  if (!interval) return null;
  return new Date(now.getTime() + Math.round(interval.everyMs * (1 + SPREAD * (random - 0.5))));
}

/**
 * How many of a day's calls may have been made by now: they are shared out over the day, so that what happens in the
 * afternoon is heard of before the next morning; an hour's share may be used ahead.
 */
export function callsAllowedBy(now: Date, callsPerDay: number): number {
  const share = (now.getTime() % DAY_MS) / DAY_MS + HOUR_MS / DAY_MS;
  return Math.min(callsPerDay, Math.ceil(callsPerDay * share));
}

const FIRST_DELAY_MS = 5 * 60_000;
const LONGEST_DELAY_MS = 6 * HOUR_MS;

/** When to ask again after the carrier did not answer; never sooner than it wants. @param failed how often in a row */
export function pollAgainAt(
  { now, random }: { readonly now: Date; readonly random: number },
  failed: number,
  retryAfterMs: number | null,
): Date {
  const own = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failed, 10)) * (0.5 + random / 2);
  return new Date(now.getTime() + Math.round(Math.max(own, Math.min(retryAfterMs ?? 0, LONGEST_DELAY_MS))));
}
