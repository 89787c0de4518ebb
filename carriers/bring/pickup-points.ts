import type { PickupPoint, PickupPointQuery } from '../contract/index.js';
import type { PointFields } from '../toolkit/index.js';
import { neededList, readPoint, streetAndNumber, textAt } from '../toolkit/index.js';
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

export const POINT: PointFields = {
  ...{ id: 'id', name: 'name', countryCode: 'countryCode' }, // `unitId` may be another one: it is `id` that is booked
  street: ['visitingAddress', 'address'],
  postalCode: ['visitingPostalCode', 'postalCode'],
  city: ['visitingCity', 'city'],
  kilometres: 'distanceInKm',
  kindOf: (point, country) => KINDS.get(`${country} ${(textAt(point, 'type') ?? '').replace(/^0+/, '')}`) ?? null,
  hoursOf: (point) => [textAt(point, 'openingHoursEnglish')],
};

/** Pick-up Point API. */
export async function pointsAtBring(api: BringApi, query: PickupPointQuery): Promise<readonly PickupPoint[]> {
  const answer =
    'near' in query
      ? await api.pointsNear({ params: placeOf(query.near), query: toNear(query) })
      : await api.point({ params: { countryCode: query.countryCode, id: query.id } });
  return answer === null ? [] : neededList(answer, 'pickupPoint').map((point) => readPoint(point, POINT));
}

type Near = Extract<PickupPointQuery, { near: object }>;

const placeOf = ({ countryCode, postalCode }: Near['near']) => ({ countryCode, postalCode });

function toNear({ near, limit }: Near) {
  const [street, streetNumber] = streetAndNumber(near.street ?? '');
  return { numberOfResponses: String(limit), ...(street && { street }), ...(streetNumber && { streetNumber }) };
}
