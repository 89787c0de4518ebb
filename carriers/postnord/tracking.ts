import type { TrackingEvent } from '../contract/index.js';
import { listAt, neededList, textAt, valueAt } from '../toolkit/json.js';
import { localMoment } from '../toolkit/local-time.js';
import { statusIn, statusTable } from '../toolkit/tracking/status-table.js';
import { boundedEvents, readEvents } from '../toolkit/tracking/tracking-event.js';
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

const EVENT = { at: 'eventTime', code: 'status', text: 'eventDescription', place: ['postcode', 'city', 'countryCode'] };

/** Times are those of the event's country, without a zone. */
const momentIn = (country: string | null) => (text: string | null) =>
  localMoment(text, country === 'FI' ? 'Europe/Helsinki' : 'Europe/Copenhagen');

/** @throws Error the answer is no tracking */
export function fromPostnordTracking(trackingNumber: string, json: unknown): readonly TrackingEvent[] {
  const shipments = json === null ? [] : neededList(json, 'TrackingInformationResponse', 'shipments');
  const events = shipments.flatMap((shipment) => {
    const country = textAt(shipment, 'consignee', 'address', 'countryCode');
    const estimatedDelivery = momentIn(country)(textAt(shipment, 'estimatedTimeOfArrival'));
    const items = listAt(shipment, 'items').filter((item) => textAt(item, 'itemId') === trackingNumber);
    const isCollected = textAt(shipment, 'service', 'code') === COLLECT;
    return items
      .flatMap((item) => listAt(item, 'events'))
      .flatMap((event) => eventOf(event, isCollected, { trackingNumber, estimatedDelivery, zone: 'assumed' }));
  });
  return boundedEvents(events);
}

function eventOf(event: unknown, isCollected: boolean, known: Parameters<typeof readEvents>[2]) {
  const location = valueAt(event, 'location');
  const momentOf = momentIn(textAt(location, 'countryCode'));
  // before a delivery at home it says no more than that the parcel is near
  const isNear = (code: string | null) => !isCollected && code === 'AVAILABLE_FOR_DELIVERY';
  const statusOf = (code: string | null) => (isNear(code) ? 'in-transit' : statusIn(STATUSES, code));
  return readEvents([Object.assign({}, location, event)], { ...EVENT, momentOf, statusOf }, known);
}
