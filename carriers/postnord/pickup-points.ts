import type { PickupPoint, PickupPointQuery } from '../contract/index.js';
import { listAt, neededAt, neededList, numberAt, textAt, valueAt } from '../toolkit/json.js';
import { said, streetAndNumber } from '../toolkit/text.js';
import type { PostnordApi } from './api.js';

const LOCKER = '2';

export async function pointsAtPostnord(api: PostnordApi, query: PickupPointQuery): Promise<readonly PickupPoint[]> {
  if ('near' in query) return pointsIn(await api.pointsNear({ query: toNear(query) })).slice(0, query.limit);
  const answer = await api.points({ query: { ids: query.id } });
  return answer === null ? [] : pointsIn(answer).filter(({ countryCode }) => countryCode === query.countryCode);
}

const pointsIn = (json: unknown) =>
  neededList(json, 'servicePointInformationResponse', 'servicePoints').map(toPickupPoint);

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
