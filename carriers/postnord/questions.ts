import type { PickupPoint, PickupPointQuery, TrackingEvent } from '../contract/index.js';
import type { PointFields } from '../toolkit/index.js';
import { boundedEvents, listAt, localMoment, neededList, nordicTimeZone, readEvents } from '../toolkit/index.js';
import { readPoints, statusIn, statusTable, streetQuery, textAt } from '../toolkit/index.js';
import type { PostnordApi } from './api.js';
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

export const EVENT = {
  at: 'eventTime',
  code: 'status',
  text: 'eventDescription',
  place: ['location.postcode', 'location.city', 'location.countryCode'],
};

/** Times are those of a country, without a zone. */
const momentAt = (country: string | null, time: string | null) => localMoment(time, nordicTimeZone(country));

/** @throws Error the answer is no tracking */
export function fromPostnordTracking(trackingNumber: string, json: unknown): readonly TrackingEvent[] {
  const shipments = json === null ? [] : neededList(json, 'TrackingInformationResponse', 'shipments');
  return boundedEvents(shipments.flatMap((shipment) => eventsIn(shipment, trackingNumber)));
}

function eventsIn(shipment: unknown, trackingNumber: string): readonly TrackingEvent[] {
  const items = listAt(shipment, 'items').filter((item) => textAt(item, 'itemId') === trackingNumber);
  const rows = items.flatMap((item) => listAt(item, 'events'));
  const country = textAt(shipment, 'consignee', 'address', 'countryCode');
  const estimatedDelivery = momentAt(country, textAt(shipment, 'estimatedTimeOfArrival'));
  // before a delivery at home it says no more than that the parcel is near
  const near = textAt(shipment, 'service', 'code') === COLLECT ? '' : 'AVAILABLE_FOR_DELIVERY';
  const momentOf = (time: string | null, row: unknown) => momentAt(textAt(row, 'location', 'countryCode'), time);
  const statusOf = (code: string | null) => (code === near ? 'in-transit' : statusIn(STATUSES, code));
  return readEvents(rows, { ...EVENT, momentOf, statusOf }, { trackingNumber, estimatedDelivery, zone: 'assumed' });
}

const LOCKER = '2';
const openOn = (day: unknown) => `${textAt(day, 'openDay')} ${textAt(day, 'openTime')}-${textAt(day, 'closeTime')}`;

export const POINT: PointFields = {
  ...{ list: 'servicePointInformationResponse.servicePoints', id: 'servicePointId', name: 'name' },
  address: ['deliveryAddress', 'visitingAddress'], // a booking must repeat the one to which it gets parcels
  ...{ street: 'streetName streetNumber', postalCode: 'postalCode', city: 'city', countryCode: 'countryCode' },
  metres: 'routeDistance',
  kindOf: (point) => {
    const type = textAt(point, 'type', 'typeId');
    return type === null ? null : type === LOCKER ? 'locker' : 'manned';
  },
  hoursOf: (point) => listAt(point, 'openingHours', 'postalServices').map(openOn),
};

export async function pointsAtPostnord(api: PostnordApi, query: PickupPointQuery): Promise<readonly PickupPoint[]> {
  const asked = 'near' in query ? api.pointsNear({ query: toNear(query) }) : api.points({ query: { ids: query.id } });
  return readPoints(query, await asked, POINT);
}

function toNear({ near: { street, ...place }, limit }: Extract<PickupPointQuery, { near: object }>) {
  return { ...place, ...streetQuery(street, ['streetName', 'streetNumber']), numberOfServicePoints: `${limit}` };
}
