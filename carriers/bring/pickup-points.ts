import type { PickupPoint, PickupPointQuery } from '../contract/index.js';
import { neededAt, neededList, textAt } from '../toolkit/json.js';
import { streetAndNumber } from '../toolkit/text.js';
import { metresOf } from '../toolkit/units.js';
import type { BringApi } from './api.js';

/** Where Bring has any. */
export const COUNTRIES: readonly string[] = ['NO', 'DK', 'SE', 'FI'];

/** By country, and `type` without zeros in front. */
export const KINDS: ReadonlyMap<string, 'manned' | 'locker'> = new Map([
  ...['DK 85', 'SE 34', 'NO 4', 'NO 19', 'NO 21', 'NO 32', 'FI Posti', 'FI Noutopiste'].map(
    (type) => [type, 'manned'] as const,
  ),
  ...['DK 43', 'SE 39', 'NO 37', 'FI LOCKER'].map((type) => [type, 'locker'] as const),
]);

/** Pick-up Point API. */
export async function pointsAtBring(api: BringApi, query: PickupPointQuery): Promise<readonly PickupPoint[]> {
  const { countryCode } = 'near' in query ? query.near : query;
  const answer =
    'near' in query
      ? await api.pointsNear({ params: { countryCode, postalCode: query.near.postalCode }, query: toNear(query) })
      : await api.point({ params: { countryCode, id: query.id } });
  return answer === null ? [] : neededList(answer, 'pickupPoint').map(fromBringPoint);
}

function toNear({ near: { street }, limit }: Extract<PickupPointQuery, { near: object }>) {
  const [name, number] = streetAndNumber(street ?? '');
  return {
    numberOfResponses: String(limit),
    ...(name && { street: name }),
    ...(number && { streetNumber: number }),
  };
}

function fromBringPoint(point: unknown): PickupPoint {
  const countryCode = neededAt(point, 'countryCode');
  const visiting = (name: string, otherwise: string) => textAt(point, name) ?? textAt(point, otherwise);
  return {
    id: neededAt(point, 'id'), // `unitId` may be another one: it is `id` that is booked
    name: neededAt(point, 'name'),
    street: visiting('visitingAddress', 'address'),
    postalCode: visiting('visitingPostalCode', 'postalCode'),
    city: visiting('visitingCity', 'city'),
    countryCode,
    distanceM: metresOf(textAt(point, 'distanceInKm')),
    kind: KINDS.get(`${countryCode} ${(textAt(point, 'type') ?? '').replace(/^0+/, '')}`) ?? null,
    openingHours: textAt(point, 'openingHoursEnglish'),
  };
}
