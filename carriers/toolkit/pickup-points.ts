import type { PickupPoint, PickupPointQuery } from '../contract/index.js';

/**
 * The pick-up points of a carrier that has them in some countries: outside these it is not asked. Of what it answers, at
 * most `limit` near an address, and by an id those in the country that was asked for.
 */
export function pickupPointsIn(
  countries: readonly string[],
  ask: (query: PickupPointQuery) => Promise<readonly PickupPoint[]>,
): (query: PickupPointQuery) => Promise<readonly PickupPoint[]> {
  return async (query) => {
    const country = 'near' in query ? query.near.countryCode : query.countryCode;
    if (!countries.includes(country)) return [];
    const points = await ask(query);
    if ('near' in query) return points.slice(0, query.limit);
    return points.filter(({ countryCode }) => countryCode === country);
  };
}
