/** When to try again: in one place for everything that is postponed. */

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
const LONGEST_ASKED_DELAY_MS = 15 * 60_000;

/**
 * Exponential with jitter between half and all of the delay; never sooner than the other side asked for.
 * @param tries postponements before this one
 * @param random between 0 and 1
 */
export function delayMs(tries: number, retryAfterMs: number | null, random: number): number {
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(tries, 16));
  const own = ceiling * (0.5 + random / 2);
  return Math.round(Math.max(own, Math.min(retryAfterMs ?? 0, LONGEST_ASKED_DELAY_MS)));
}
