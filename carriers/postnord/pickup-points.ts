import type { PickupPoint, PickupPointQuery } from '../contract/index.js';
import type { PointFields } from '../toolkit/index.js';
import { listAt, neededList, pointsFor, readPoint, said, streetAndNumber, textAt, valueAt } from '../toolkit/index.js';
import type { PostnordApi } from './api.js';

const LOCKER = '2';
const POINT: PointFields = {
  ...{ id: 'servicePointId', name: 'name', countryCode: 'countryCode', metres: 'routeDistance' },
  ...{ street: 'street', postalCode: 'postalCode', city: 'city' },
  kindOf: (point) => {
    const type = textAt(point, 'type', 'typeId');
    return type === null ? null : type === LOCKER ? 'locker' : 'manned';
  },
  hoursOf: (point) => listAt(point, 'openingHours', 'postalServices').map(openOn),
};

const openOn = (day: unknown) => `${textAt(day, 'openDay')} ${textAt(day, 'openTime')}-${textAt(day, 'closeTime')}`;

export async function pointsAtPostnord(api: PostnordApi, query: PickupPointQuery): Promise<readonly PickupPoint[]> {
  const asked = 'near' in query ? api.pointsNear({ query: toNear(query) }) : api.points({ query: { ids: query.id } });
  const json = await asked;
  const isNone = json === null && 'id' in query;
  const points = isNone ? [] : neededList(json, 'servicePointInformationResponse', 'servicePoints');
  return pointsFor(query, points.map(toPickupPoint));
}

function toNear({ near: { countryCode, postalCode, street }, limit }: Extract<PickupPointQuery, { near: object }>) {
  const [streetName, streetNumber] = streetAndNumber(street ?? '');
  const address = { ...(streetName && { streetName }), ...(streetNumber && { streetNumber }) };
  return { countryCode, postalCode, numberOfServicePoints: `${limit}`, ...address };
}

/** With the address to which it gets parcels, which a booking must repeat. */
function toPickupPoint(point: unknown): PickupPoint {
  const address = valueAt(point, 'deliveryAddress') ?? valueAt(point, 'visitingAddress');
  const street = said(textAt(address, 'streetName'), textAt(address, 'streetNumber')).join(' ');
  return readPoint({ ...Object(point), ...Object(address), street }, POINT);
}
