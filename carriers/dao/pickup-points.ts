import type { PickupPoint, PickupPointQuery } from '../contract/index.js';
import { neededAt, neededList, textAt, valueAt } from '../toolkit/json.js';
import { metresOf } from '../toolkit/units.js';
import type { DaoQuery } from './api.js';

/** Everything DAO says of its pick-up points is about Denmark. */
export const COUNTRY = 'DK';

export function toDaoPointQuery(query: PickupPointQuery): DaoQuery {
  if ('id' in query) return { shopid: query.id };
  const { postalCode, street } = query.near;
  return { postnr: postalCode, ...(street && { adresse: street }), antal: String(query.limit) };
}

export function fromDaoPoints(json: unknown): readonly PickupPoint[] {
  return neededList(json, 'resultat', 'pakkeshops').map((shop) => ({
    id: neededAt(shop, 'shopId'),
    name: neededAt(shop, 'navn'),
    street: textAt(shop, 'adresse'),
    postalCode: textAt(shop, 'postnr'),
    city: textAt(shop, 'bynavn'),
    countryCode: COUNTRY,
    distanceM: metresOf(textAt(shop, 'afstand')),
    kind: null, // the words of `type` are not known
    openingHours: openingHours(valueAt(shop, 'aabningstider')),
  }));
}

function openingHours(days: unknown): string | null {
  const names = Object.keys(typeof days === 'object' && days !== null ? days : {});
  const hours = names.flatMap((day) => {
    const open = textAt(days, day);
    return open === null ? [] : [`${day} ${open}`];
  });
  return hours.join(', ') || null;
}
