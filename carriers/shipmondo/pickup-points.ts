import type { PickupPoint, PickupPointQuery } from '../contract/index.js';
import { listAt, neededAt, numberAt, textAt } from '../toolkit/json.js';
import type { ShipmondoApi } from './api.js';

/** More are refused. */
const MOST_POINTS = 20;
const KINDS: Readonly<Record<string, PickupPoint['kind']>> = { SP: 'manned', BOX: 'locker' };

/** Near an address those of a product; the one with an id of a carrier, which an older call finds. */
export async function pointsAtShipmondo(
  api: ShipmondoApi,
  { product, carrier }: { readonly product: string; readonly carrier: string },
  query: PickupPointQuery,
): Promise<readonly PickupPoint[]> {
  if ('id' in query) {
    const { id, countryCode } = query;
    const found = await api.point({ query: { carrier_code: carrier, country_code: countryCode, id } });
    return (found ?? []).map(toPickupPoint).filter((point) => point.id === id && point.countryCode === countryCode);
  }
  const { countryCode, postalCode, street } = query.near;
  const place = { country_code: countryCode, zipcode: postalCode, ...(street && { address: street }) };
  const quantity = `${Math.min(query.limit, MOST_POINTS)}`;
  const points = await api.pointsNear({ query: { product_code: product, ...place, quantity } });
  return points.slice(0, query.limit).map(toPickupPoint);
}

function toPickupPoint(point: unknown): PickupPoint {
  const distance = numberAt(point, 'distance');
  return {
    ...{ id: neededAt(point, 'id'), name: neededAt(point, 'name') },
    ...{ street: textAt(point, 'address'), postalCode: textAt(point, 'zipcode'), city: textAt(point, 'city') },
    countryCode: neededAt(point, 'country'),
    distanceM: distance === null ? null : Math.round(distance),
    kind: KINDS[textAt(point, 'type') ?? ''] ?? null,
    openingHours: listAt(point, 'opening_hours').map(String).join(', ') || null,
  };
}
