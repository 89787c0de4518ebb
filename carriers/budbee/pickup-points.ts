import type { PickupPoint, PickupPointQuery } from '../contract/index.js';
import type { PointFields } from '../toolkit/pickup-points.js';
import { readPoint, readPoints } from '../toolkit/pickup-points.js';
import type { BudbeeApi } from './api.js';

/** Opening hours have no confirmed shape. */
export const LOCKER: PointFields = {
  ...{ list: 'lockers', id: 'id', name: 'name', metres: 'distance', address: 'address' },
  ...{ street: 'street', postalCode: 'postalCode', city: 'city', countryCode: 'country' },
  kind: 'locker',
};

/** @param collectionId the warehouse from which the lockers must be reached */
export async function lockersAtBudbee(
  api: BudbeeApi,
  query: PickupPointQuery,
  collectionId: number,
): Promise<readonly PickupPoint[]> {
  if ('id' in query) {
    const box = await api.box({ params: { id: query.id } });
    return box === null ? [] : [readPoint(box, LOCKER)];
  }
  const { countryCode: country, postalCode } = query.near;
  const params = { country, postalCode: postalCode.replace(/\s/g, '') };
  const near = await api.boxesNear({ params, query: { collectionPointId: `${collectionId}` } });
  return near === null ? [] : readPoints(query, near, LOCKER);
}
