import type { PickupPoint, PickupPointQuery } from '../contract/index.js';
import { listAt } from '../toolkit/json.js';
import type { PointFields } from '../toolkit/pickup-points.js';
import { pointsAmong, readPoints } from '../toolkit/pickup-points.js';
import type { ShipmondoApi } from './api.js';

/** More are refused. */
const MAX_POINTS = 20;

export const POINT: PointFields = {
  ...{ id: 'id', name: 'name', street: 'address', postalCode: 'zipcode', city: 'city', countryCode: 'country' },
  metres: 'distance',
  kinds: { at: 'type', manned: ['SP'], locker: ['BOX'] },
  hoursOf: (point) => listAt(point, 'opening_hours').map(String),
};

/** Near an address those of a product; the one with an id of a carrier, which an older call finds. */
export async function pointsAtShipmondo(
  api: ShipmondoApi,
  { product, carrier }: { readonly product: string; readonly carrier: string },
  query: PickupPointQuery,
): Promise<readonly PickupPoint[]> {
  if ('id' in query) {
    const asked = { carrier_code: carrier, country_code: query.countryCode, id: query.id };
    return pointsAmong(query, readPoints(query, await api.point({ query: asked }), POINT));
  }
  const { countryCode, postalCode, street } = query.near;
  const place = { country_code: countryCode, zipcode: postalCode, ...(street && { address: street }) };
  const quantity = `${Math.min(query.limit, MAX_POINTS)}`;
  return readPoints(query, await api.pointsNear({ query: { product_code: product, ...place, quantity } }), POINT);
}
