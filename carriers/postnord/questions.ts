import type { PickupPointQuery } from '../contract/index.js';
import type { EventFields, PointFields, TrackedShipments } from '../toolkit/index.js';
import { listAt, localMoment, nordicTimeZone, readPoints, statusIn, statusTable } from '../toolkit/index.js';
import { streetQuery, textAt } from '../toolkit/index.js';
import type { PostnordApi } from './api.js';
import { isOfConsignor } from './booking.js';
import { COLLECT } from './services.js';

/** `status` of an event; PostNord publishes no codes of events. */
export const STATUSES = statusTable({
  registered: ['CREATED', 'INFORMED'],
  'in-transit': ['EN_ROUTE', 'DELAYED', 'EXPECTED_DELAY', 'STOPPED'],
  'at-pickup-point': ['AVAILABLE_FOR_DELIVERY', 'AVAILABLE_FOR_DELIVERY_PAR_LOC'],
  delivered: ['DELIVERED'],
  'delivery-failed': ['DELIVERY_IMPOSSIBLE', 'DELIVERY_REFUSED'],
  returned: ['RETURNED'],
  skipped: ['OTHER'],
});

/** Times are those of a country, without a zone. */
const momentAt = (country: string | null, time: string | null) => localMoment(time, nordicTimeZone(country));

export const EVENT = {
  ...{ at: 'eventTime', code: 'status', text: 'eventDescription' },
  place: ['location.postcode', 'location.city', 'location.countryCode'],
  momentOf: (time, row) => momentAt(textAt(row, 'location', 'countryCode'), time),
  statusOf: (code) => statusIn(STATUSES, code),
} as const satisfies EventFields;

/** A search is for the customer's number and our reference, which is compared once more. */
export const SHIPMENTS: TrackedShipments = {
  ...{ list: 'TrackingInformationResponse.shipments', number: 'shipmentId', reference: 'value' },
  referencesIn: (shipment) => listAt(shipment, 'shipmentReferences').filter(isOfConsignor('type')),
  ...{ parcels: 'items', parcel: { number: 'itemId' }, events: 'events', event: EVENT },
  // before a delivery at home, what is available says no more than that the parcel is near
  statusIn: (shipment, code) => {
    const isNear = code === 'AVAILABLE_FOR_DELIVERY' && textAt(shipment, 'service', 'code') !== COLLECT;
    return isNear ? 'in-transit' : EVENT.statusOf(code);
  },
  about: (shipment) => {
    const country = textAt(shipment, 'consignee', 'address', 'countryCode');
    return { estimatedDelivery: momentAt(country, textAt(shipment, 'estimatedTimeOfArrival')), zone: 'assumed' };
  },
};

const openOn = (day: unknown) => `${textAt(day, 'openDay')} ${textAt(day, 'openTime')}-${textAt(day, 'closeTime')}`;

export const POINT: PointFields = {
  ...{ list: 'servicePointInformationResponse.servicePoints', id: 'servicePointId', name: 'name' },
  address: ['deliveryAddress', 'visitingAddress'], // a booking must repeat the one to which it gets parcels
  ...{ street: 'streetName streetNumber', postalCode: 'postalCode', city: 'city', countryCode: 'countryCode' },
  metres: 'routeDistance',
  kinds: { at: 'type.typeId', locker: ['2'], manned: ['44', '6', '25', '37', '38', '61'] },
  hoursOf: (point) => listAt(point, 'openingHours', 'postalServices').map(openOn),
};

export const pointsAtPostnord = (api: PostnordApi) => async (query: PickupPointQuery) => {
  const asked = 'near' in query ? api.pointsNear({ query: toNear(query) }) : api.points({ query: { ids: query.id } });
  return readPoints(query, await asked, POINT);
};

function toNear({ near: { street, ...place }, limit }: Extract<PickupPointQuery, { near: object }>) {
  return { ...place, ...streetQuery(street, ['streetName', 'streetNumber']), numberOfServicePoints: `${limit}` };
}
