import type { TrackingEvent } from '../contract/index.js';
import { boundedEvents, listAt, localMoment, neededList, readEvents, statusIn } from '../toolkit/index.js';
import { statusTable, textAt, valueAt } from '../toolkit/index.js';
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
  place: ['postcode', 'city', 'countryCode'],
};

/** Times are those of a country, without a zone. */
const momentAt = (country: string | null, time: string | null) =>
  localMoment(time, country === 'FI' ? 'Europe/Helsinki' : 'Europe/Copenhagen');

/** @throws Error the answer is no tracking */
export function fromPostnordTracking(trackingNumber: string, json: unknown): readonly TrackingEvent[] {
  const shipments = json === null ? [] : neededList(json, 'TrackingInformationResponse', 'shipments');
  return boundedEvents(shipments.flatMap((shipment) => eventsIn(shipment, trackingNumber)));
}

function eventsIn(shipment: unknown, trackingNumber: string): readonly TrackingEvent[] {
  const items = listAt(shipment, 'items').filter((item) => textAt(item, 'itemId') === trackingNumber);
  const events = items.flatMap((item) => listAt(item, 'events'));
  const [country, eta] = [textAt(shipment, 'consignee', 'address', 'countryCode'), 'estimatedTimeOfArrival'];
  // before a delivery at home it says no more than that the parcel is near
  const near = textAt(shipment, 'service', 'code') === COLLECT ? null : 'AVAILABLE_FOR_DELIVERY';
  return readEvents(
    events.map((event): unknown => ({ ...Object(valueAt(event, 'location')), ...Object(event) })),
    {
      ...EVENT,
      momentOf: (time, row) => momentAt(textAt(row, 'countryCode'), time),
      statusOf: (code) => (code !== null && code === near ? 'in-transit' : statusIn(STATUSES, code)),
    },
    { trackingNumber, estimatedDelivery: momentAt(country, textAt(shipment, eta)), zone: 'assumed' },
  );
}
