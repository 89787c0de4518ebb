/** Upper limit of the added latency of one response, in milliseconds, whatever value is drawn. */
export const MAX_LATENCY_MS = 60_000;

/** The distribution of response times, in milliseconds since the request arrived. */
export type Distribution =
  | { readonly kind: 'constant'; readonly ms: number }
  | { readonly kind: 'uniform'; readonly minMs: number; readonly maxMs: number }
  | { readonly kind: 'normal'; readonly meanMs: number; readonly deviationMs: number }
  /** Half of the responses take at most `medianMs`, 99 of 100 at most `p99Ms`. */
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly p99Ms: number }
  | { readonly kind: 'exponential'; readonly meanMs: number };

/** The 99th percentile of the standard normal distribution. */
const NORMAL_P99 = 2.326_347_874;

/**
 * Draws one latency.
 * @param random gives numbers from 0 (inclusive) to 1 (exclusive)
 * @returns whole milliseconds, from 0 to `MAX_LATENCY_MS`, both inclusive
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

/** Draws from the standard normal distribution by the Box–Muller transform. */
function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
