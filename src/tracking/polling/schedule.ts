import { type Doubling, doublingMs } from '../../worker/backoff.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** No carrier delivers later; older open parcels are not tracked. */
export const MAX_TRACKED_MS = 60 * DAY_MS;

/** The poll intervals of carriers without callbacks, by the parcel's age. */
const INTERVALS: readonly { readonly untilAgeMs: number; readonly everyMs: number }[] = [
  { untilAgeMs: 2 * DAY_MS, everyMs: 2 * HOUR_MS },
  { untilAgeMs: 7 * DAY_MS, everyMs: 4 * HOUR_MS },
  { untilAgeMs: 14 * DAY_MS, everyMs: 8 * HOUR_MS },
  { untilAgeMs: 30 * DAY_MS, everyMs: DAY_MS },
  { untilAgeMs: MAX_TRACKED_MS, everyMs: 2 * DAY_MS },
];

const FIRST_POLL_MS = HOUR_MS;
/** Jitter, so that parcels that were registered together are not always polled together. */
const SPREAD = 0.2;

/** The poll interval of carriers with callbacks, for lost callbacks. */
const CHECK_MS = DAY_MS;

/** The next poll of a carrier with callbacks. @param random from 0 to below 1 @returns `null`: the parcel is too old */
export function nextCheckAt(registeredAt: Date, now: Date, random: number): Date | null {
  if (now.getTime() - registeredAt.getTime() >= MAX_TRACKED_MS) return null;
  return new Date(now.getTime() + Math.round(CHECK_MS * (1 + SPREAD * (random - 0.5))));
}

/** The time of the first poll. @param random from 0 to below 1 */
export function firstPollAt(registeredAt: Date, random: number): Date {
  return new Date(registeredAt.getTime() + Math.round(FIRST_POLL_MS * (1 + random)));
}

/**
 * The time of the next poll.
 * @param random from 0 to below 1: moves it by up to a tenth to either side
 * @returns `null`: the parcel is too old
 */
export function nextPollAt(registeredAt: Date, now: Date, random: number): Date | null {
  const ageMs = now.getTime() - registeredAt.getTime();
  const interval = INTERVALS.find(({ untilAgeMs }) => ageMs < untilAgeMs);
  if (!interval) return null;
  return new Date(now.getTime() + Math.round(interval.everyMs * (1 + SPREAD * (random - 0.5))));
}

/** How many of a day's calls may be made until now: they are spread over the day, with one hour's share ahead. */
export function callsAllowedBy(now: Date, callsPerDay: number): number {
  const share = (now.getTime() % DAY_MS) / DAY_MS + HOUR_MS / DAY_MS;
  return Math.min(callsPerDay, Math.ceil(callsPerDay * share));
}

const MAX_DELAY_MS = 6 * HOUR_MS;
const AFTER_FAILURES: Doubling = { firstMs: 5 * 60_000, maxMs: MAX_DELAY_MS, atLeast: 0.5 };

/** The next poll after a failure; never sooner than the carrier asks for. @param failed failures in a row */
export function pollAgainAt(
  { now, random }: { readonly now: Date; readonly random: number },
  failed: number,
  retryAfterMs: number | null,
): Date {
  const own = doublingMs(AFTER_FAILURES, failed, random);
  return new Date(now.getTime() + Math.round(Math.max(own, Math.min(retryAfterMs ?? 0, MAX_DELAY_MS))));
}
