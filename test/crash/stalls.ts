/** A stretch in which this process was too busy to look at what came in. */
export interface Stall {
  /** Milliseconds since 1970, by the clock that is given. */
  readonly endedAt: number;
  readonly ms: number;
}

const LOOK_EVERY_MS = 20;
const NOTICED_FROM_MS = 40;

/**
 * Notes when this process stalls: what arrives meanwhile seems to arrive at once when it goes on.
 * @returns the stalls so far, growing; and what stops it
 */
export function watchStalls(now: () => number): { readonly stalls: readonly Stall[]; readonly stop: () => void } {
  const stalls: Stall[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const ms = performance.now() - last - LOOK_EVERY_MS;
    last = performance.now();
    if (ms >= NOTICED_FROM_MS) stalls.push({ endedAt: now(), ms });
  }, LOOK_EVERY_MS);
  timer.unref();
  return { stalls, stop: () => clearInterval(timer) };
}
