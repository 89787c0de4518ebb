import type { PickupPoint, PickupPointQuery, TrackingEvent } from '../contract/index.js';
import type { PointFields } from '../toolkit/index.js';
import { boundedEvents, listAt, localMoment, neededList, pointsFor, readEvents, readPoint } from '../toolkit/index.js';
import { nordicTimeZone, said, statusIn, statusTable, streetQuery, textAt, valueAt } from '../toolkit/index.js';
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

function toNear({ near: { street, ...place }, limit }: Extract<PickupPointQuery, { near: object }>) {
  return { ...place, ...streetQuery(street, ['streetName', 'streetNumber']), numberOfServicePoints: `${limit}` };
}

/** With the address to which it gets parcels, which a booking must repeat. */
function toPickupPoint(point: unknown): PickupPoint {
  const address = valueAt(point, 'deliveryAddress') ?? valueAt(point, 'visitingAddress');
  const street = said(textAt(address, 'streetName'), textAt(address, 'streetNumber')).join(' ');
  return readPoint({ ...Object(point), ...Object(address), street }, POINT);
}
