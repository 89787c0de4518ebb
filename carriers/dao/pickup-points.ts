import type { PickupPointQuery } from '../contract/index.js';
import type { PointFields } from '../toolkit/index.js';
import { textAt, valueAt } from '../toolkit/index.js';
import type { DaoQuery } from './api.js';

/** Everything DAO says of its pick-up points is about Denmark; the words of `type` are not known. */
export const POINT: PointFields = {
  ...{ id: 'shopId', name: 'navn', street: 'adresse', postalCode: 'postnr', city: 'bynavn', country: 'DK' },
  ...{ list: 'resultat.pakkeshops', kilometres: 'afstand' },
  hoursOf: (shop) => {
    const days = valueAt(shop, 'aabningstider') ?? {};
    return Object.keys(days).map((day) => textAt(days, day) && `${day} ${textAt(days, day)}`);
  },
};

export function toDaoPointQuery(query: PickupPointQuery): DaoQuery {
  if ('id' in query) return { shopid: query.id };
  const { postalCode, street } = query.near;
  return { postnr: postalCode, ...(street && { adresse: street }), antal: String(query.limit) };
}
