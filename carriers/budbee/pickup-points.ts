import type { PickupPoint, PickupPointQuery } from '../contract/index.js';
import { neededAt, neededList, numberAt, textAt } from '../toolkit/json.js';
import type { BudbeeApi } from './api.js';

/** @param collectionId the warehouse from which the lockers must be reached */
export async function lockersAtBudbee(
  api: BudbeeApi,
  query: PickupPointQuery,
  collectionId: number,
): Promise<readonly PickupPoint[]> {
  if ('id' in query) {
    const box = await api.box({ params: { id: query.id } });
    return box === null ? [] : [toPickupPoint(box)];
  }
  const { countryCode: country, postalCode } = query.near;
  const params = { country, postalCode: postalCode.replace(/\s/g, '') };
  const near = await api.boxesNear({ params, query: { collectionPointId: `${collectionId}` } });
  return near === null ? [] : neededList(near, 'lockers').map(toPickupPoint);
}

/** Opening hours have no confirmed shape. */
function toPickupPoint(locker: unknown): PickupPoint {
  const distance = numberAt(locker, 'distance');
  return {
    ...{ id: neededAt(locker, 'id'), name: neededAt(locker, 'name') },
    street: textAt(locker, 'address', 'street'),
    postalCode: textAt(locker, 'address', 'postalCode'),
    city: textAt(locker, 'address', 'city'),
    countryCode: neededAt(locker, 'address', 'country'),
    distanceM: distance === null ? null : Math.round(distance),
    kind: 'locker',
    openingHours: null,
  };
}
