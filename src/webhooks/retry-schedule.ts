const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** After each failure; the last one is followed by none. In all about a day and a half. */
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
/** What waited behind others is not tried for longer than this. */
const LONGEST_MS = 72 * HOUR_MS;
/** Those that failed together do not come back together. */
const SPREAD = 0.1;

/**
 * When a delivery that failed is tried again.
 * @param tries before this one
 * @param random between 0 and 1
 * @returns `null`: never
 */
export function nextAttemptAt(
  { tries, createdAt }: { readonly tries: number; readonly createdAt: Date },
  now: Date,
  random: number,
): Date | null {
  const delay = DELAYS_MS[tries];
  if (delay === undefined || now.getTime() - createdAt.getTime() > LONGEST_MS) return null;
  return new Date(now.getTime() + Math.round(delay * (1 + SPREAD * random)));
}
