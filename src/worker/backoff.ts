const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
const LONGEST_ASKED_DELAY_MS = 15 * 60_000;

const FIRST_OPEN_MS = 5_000;
export const LONGEST_OPEN_MS = 60_000;

/** What an IMS does not take, or does not let us begin, is tried for so long. */
export const LONGEST_WITH_IMS_MS = 24 * 60 * 60_000;

/**
 * Exponential with jitter between half and all of the delay; never sooner than the other side asked for, up to a quarter
 * of an hour.
 * @param tries postponements before this one
 * @param random between 0 and 1
 */
export function delayMs(tries: number, retryAfterMs: number | null, random: number): number {
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(tries, 16));
  const own = ceiling * (0.5 + random / 2);
  return Math.round(Math.max(own, Math.min(retryAfterMs ?? 0, LONGEST_ASKED_DELAY_MS)));
}

/**
 * How long a carrier that does not answer is left alone: 5 s at first, up to 60 s, so that several instances do not ask it
 * in step.
 * @param failedProbes how often it was asked in vain since then
 * @param random between 0 and 1
 */
export function openForMs(failedProbes: number, retryAfterMs: number | null, random: number): number {
  const ceiling = Math.min(LONGEST_OPEN_MS, FIRST_OPEN_MS * 1.25 * 2 ** Math.min(failedProbes, 16));
  const own = ceiling * (0.8 + random / 5);
  return Math.round(Math.max(own, Math.min(retryAfterMs ?? 0, LONGEST_OPEN_MS)));
}

/** Why something is postponed, as far as the time depends on it. */
export interface Wait {
  readonly retryAfterMs: number | null;
  /** Nothing was tried, because the carrier does not answer at the moment: whoever waits is let in when it does. */
  readonly held?: true;
  /** Ours to watch, and a worker waits: looked at at least so often. */
  readonly atMostMs?: number;
}
