import type { PickupPoint, PickupPointQuery } from '../contract/index.js';
import { listAt, neededAt, neededList, numberAt, textAt, valueAt } from '../toolkit/json.js';
import { said, streetAndNumber } from '../toolkit/text.js';
import type { PostnordApi } from './api.js';

const LOCKER = '2';

export async function pointsAtPostnord(api: PostnordApi, query: PickupPointQuery): Promise<readonly PickupPoint[]> {
  const answer = await ('id' in query
    ? api.points({ query: { ids: query.id } })
    : api.pointsNear({ query: toNear(query) }));
  const points = answer === null ? [] : neededList(answer, 'servicePointInformationResponse', 'servicePoints');
  const [country, limit] = 'id' in query ? [query.countryCode, 1] : [query.near.countryCode, query.limit];
  return points
    .map(toPickupPoint)
    .filter(({ countryCode }) => countryCode === country)
    .slice(0, limit);
}

function toNear({ near, limit }: Extract<PickupPointQuery, { near: object }>) {
  const { countryCode, postalCode } = near;
  const [streetName, streetNumber] = streetAndNumber(near.street ?? '');
  const address = { ...(streetName && { streetName }), ...(streetNumber && { streetNumber }) };
  return { countryCode, postalCode, numberOfServicePoints: `${limit}`, ...address };
}

/** The address to which it gets parcels, which a booking must repeat. */
function toPickupPoint(point: unknown): PickupPoint {
  const address = valueAt(point, 'deliveryAddress') ?? valueAt(point, 'visitingAddress');
  const [distance, type] = [numberAt(point, 'routeDistance'), textAt(point, 'type', 'typeId')];
  const hours = listAt(point, 'openingHours', 'postalServices').map(
    (day) => `${textAt(day, 'openDay')} ${textAt(day, 'openTime')}-${textAt(day, 'closeTime')}`,
  );
  return {
    ...{ id: neededAt(point, 'servicePointId'), name: neededAt(point, 'name') },
    street: said(textAt(address, 'streetName'), textAt(address, 'streetNumber')).join(' ') || null,
    ...{ postalCode: textAt(address, 'postalCode'), city: textAt(address, 'city') },
    countryCode: neededAt(address, 'countryCode'),
    distanceM: distance === null ? null : Math.round(distance),
    kind: type === null ? null : type === LOCKER ? 'locker' : 'manned',
    openingHours: hours.join(', ') || null,
  };
}
