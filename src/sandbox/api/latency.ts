/** No answer is held back longer by a latency, whatever is drawn. */
export const MAX_LATENCY_MS = 60_000;

/** How long answers take, in milliseconds since the request arrived. */
export type Distribution =
  | { readonly kind: 'constant'; readonly ms: number }
  | { readonly kind: 'uniform'; readonly minMs: number; readonly maxMs: number }
  | { readonly kind: 'normal'; readonly meanMs: number; readonly deviationMs: number }
  /** Half of the answers take up to `medianMs`, 99 of 100 up to `p99Ms`. */
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly p99Ms: number }
  | { readonly kind: 'exponential'; readonly meanMs: number };

/** 99 of 100 draws of the standard normal distribution lie below it. */
const NORMAL_P99 = 2.326_347_874;

/**
 * One latency.
 * @param random from 0 up to but without 1
 * @returns whole milliseconds, from 0 to `LONGEST_LATENCY_MS`
 */
export function drawLatencyMs(distribution: Distribution, random: () => number): number {
  return Math.round(Math.min(Math.max(draw(distribution, random), 0), MAX_LATENCY_MS));
}

function draw(distribution: Distribution, random: () => number): number {
  switch (distribution.kind) {
    case 'constant':
      return distribution.ms;
    case 'uniform':
      return distribution.minMs + random() * (distribution.maxMs - distribution.minMs);
    case 'normal':
      return distribution.meanMs + distribution.deviationMs * drawNormal(random);
    case 'lognormal': {
      const sigma = Math.log(distribution.p99Ms / distribution.medianMs) / NORMAL_P99;
      return distribution.medianMs * Math.exp(sigma * drawNormal(random));
    }
    case 'exponential':
      return -distribution.meanMs * Math.log(1 - random());
  }
}

/** Box and Muller's method, for mean 0 and deviation 1. */
function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
