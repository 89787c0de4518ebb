import type { BookingRequest, PickupPoint, PickupPointQuery } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import { readBefore } from './json-client.js';
import { inWords, when } from './preflight.js';

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

/**
 * The pick-up point that a booking names, asked for before it is booked.
 * @param ask `pickupPoints` of the account
 * @throws CarrierRejected it has none with this id in the recipient's country @throws CarrierUnavailable it cannot be asked
 */
export async function namedPoint(
  id: string,
  { recipient }: BookingRequest,
  ask: (query: PickupPointQuery) => Promise<readonly PickupPoint[]>,
): Promise<PickupPoint> {
  const countryCode = recipient.address.countryCode ?? '';
  const [point] = await readBefore(ask({ id, countryCode }));
  const text = `The carrier has no pick-up point ${id} in ${countryCode}: choose the pick-up point again.`;
  if (point === undefined) throw new CarrierRejected(inWords(text, when(true, 'pick-up-point-missing')));
  return point;
}
