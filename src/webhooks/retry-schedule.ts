const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delay after each failure, about a day and a half in all; after the last one the delivery is a dead letter. */
const DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
];
/** A delivery older than this gets one attempt. */
const MAX_MS = 72 * HOUR_MS;
/** Jitter, so that deliveries that failed together are not retried together. */
const SPREAD = 0.1;

/**
 * The time of the next attempt.
 * @param attempts before this one
 * @param random between 0 and 1
 * @returns `null`: none
 */
export function nextAttemptAt(
  { attempts, createdAt }: { readonly attempts: number; readonly createdAt: Date },
  now: Date,
  random: number,
): Date | null {
  const delay = DELAYS_MS[attempts];
  if (delay === undefined || now.getTime() - createdAt.getTime() > MAX_MS) return null;
  return new Date(now.getTime() + Math.round(delay * (1 + SPREAD * random)));
}
