const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
const MAX_ASKED_DELAY_MS = 15 * 60_000;

const FIRST_OPEN_MS = 5_000;
export const MAX_OPEN_MS = 60_000;

/** How long a request that the IMS does not answer is retried. */
export const MAX_WITH_IMS_MS = 24 * 60 * 60_000;

/** Delays that double. */
export interface Doubling {
  readonly firstMs: number;
  readonly maxMs: number;
  /** The shortest delay as a fraction of the longest; jitter chooses a delay between the two. */
  readonly atLeast: number;
}

/** With more failures every delay is at its maximum; the limit keeps the power of two exact. */
const MAX_DOUBLINGS = 16;

/**
 * The delay after failures in a row, with jitter.
 * @param failures before this delay
 * @param random between 0 and 1
 * @returns milliseconds, with a fraction
 */
export function doublingMs({ firstMs, maxMs, atLeast }: Doubling, failures: number, random: number): number {
  const longest = Math.min(maxMs, firstMs * 2 ** Math.min(failures, MAX_DOUBLINGS));
  return longest * (atLeast + (1 - atLeast) * random);
}

const RETRY: Doubling = { firstMs: FIRST_DELAY_MS, maxMs: MAX_DELAY_MS, atLeast: 0.5 };
const OPEN: Doubling = { firstMs: FIRST_OPEN_MS * 1.25, maxMs: MAX_OPEN_MS, atLeast: 0.8 };

/**
 * Exponential with jitter between half and all of the delay; never sooner than the other side asked for, up to a quarter
 * of an hour.
 * @param attempts before this one, each of which was postponed
 * @param random between 0 and 1
 */
export function delayMs(attempts: number, retryAfterMs: number | null, random: number): number {
  const own = doublingMs(RETRY, attempts, random);
  return Math.round(Math.max(own, Math.min(retryAfterMs ?? 0, MAX_ASKED_DELAY_MS)));
}

/**
 * The delay while an area is not in the configuration, maybe for months: neither the log nor the journal fills up. As long as the
 * area has been missing, from 0.5 s to 30 s with jitter; after five minutes a tenth of that time, up to a quarter of an hour.
 * @param missingMs since when it has been missing
 * @param random between 0 and 1
 */
export function missingAreaDelayMs(missingMs: number, random: number): number {
  const atFirst = Math.max(FIRST_DELAY_MS, Math.min(missingMs, MAX_DELAY_MS)) * (0.5 + random / 2);
  return Math.round(Math.max(atFirst, Math.min(missingMs / 10, MAX_ASKED_DELAY_MS)));
}

/**
 * How long a circuit stays open: 5 s at first, up to 60 s; with jitter, so that instances do not probe in step.
 * @param failedProbes probes without an answer since it opened
 * @param random between 0 and 1
 */
export function openForMs(failedProbes: number, retryAfterMs: number | null, random: number): number {
  const own = doublingMs(OPEN, failedProbes, random);
  return Math.round(Math.max(own, Math.min(retryAfterMs ?? 0, MAX_OPEN_MS)));
}

/** The parts of a postponement that its due time depends on. */
export interface Wait {
  readonly retryAfterMs: number | null;
  /** Parked: the carrier does not answer at the moment; the row is found when it does. */
  readonly parked?: true;
  /** The longest delay for a wait that is cheap to check, while a worker waits. */
  readonly atMostMs?: number;
}
