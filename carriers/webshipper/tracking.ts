import type { CallbackDelivery, CallbackOutcome, TrackingEvent } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { neededAt, neededList, textAt, valueAt } from '../toolkit/json.js';
import { isSignedByHmac } from '../toolkit/tracking/hmac-signature.js';
import { statusIn, statusTable } from '../toolkit/tracking/status-table.js';
import { boundedEvents, parcelNumberAt, readEvents } from '../toolkit/tracking/tracking-event.js';
import type { WebshipperApi } from './api.js';

/** `status` of an event. */
export const STATUSES = statusTable({
  ...{ registered: ['information_received'], 'in-transit': ['in_transit'], customs: ['customs_clearance_delayed'] },
  ...{ 'out-for-delivery': ['out_for_delivery'], 'at-pickup-point': ['ready_for_pickup', 'delivered_to_drop_point'] },
  ...{ delivered: ['delivered'], 'delivery-failed': ['attempted_delivery', 'undeliverable'] },
  ...{ returned: ['returned'], skipped: ['unknown'] },
});

export const SIGNATURE = { header: 'x-webshipper-hmac-sha256', algorithm: 'sha256', encoding: 'base64' } as const;
export const TOPIC_HEADER = 'x-webshipper-topic';
const TOPICS = ['trackingevent/created', 'trackingevent/updated'];
const EVENT = { at: 'time', code: 'status', text: 'description', place: ['location'] };

/** An event that changes has the same id: with what it says now it is another one. */
function eventsOf(resource: unknown): readonly TrackingEvent[] {
  const attributes = valueAt(resource, 'attributes');
  const trackingNumber = parcelNumberAt(attributes, 'tracking_number');
  const id = textAt(resource, 'id');
  if (trackingNumber === null) return [];
  const idOf = (code: string | null, at: string) => (id === null ? null : `${id} ${code ?? ''} ${at}`);
  const known = { trackingNumber, trackingUrl: textAt(attributes, 'tracking_link_url') };
  return readEvents([attributes], { ...EVENT, statusOf: (code) => statusIn(STATUSES, code), idOf }, known);
}

/** Events are asked for by shipment, and a shipment by the number of a parcel. */
export async function trackAtWebshipper(api: WebshipperApi, trackingNumber: string): Promise<readonly TrackingEvent[]> {
  const found = neededList(await api.find({ query: { 'filter[tracking_number]': trackingNumber } }), 'data');
  const ids = found.map((shipment) => neededAt(shipment, 'id'));
  const answers = await Promise.all(ids.map((id) => api.events({ query: { 'filter[shipment_id]': id } })));
  const events = answers.flatMap((answer) => neededList(answer, 'data')).flatMap(eventsOf);
  return boundedEvents(events.filter((event) => event.trackingNumber === trackingNumber));
}

/** The signature has no moment in it, and does not cover the topic. */
export function parseWebshipperCallback(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome {
  if (!isSignedByHmac(raw, delivery, SIGNATURE))
    return { kind: 'refused', because: `no signature that fits in ${SIGNATURE.header}` };
  if (!TOPICS.includes(delivery.headers[TOPIC_HEADER] ?? ''))
    return { kind: 'ignored', because: 'it is of no tracking event' };
  const events = eventsOf(valueAt(tryParseJson(raw), 'data'));
  if (events.length === 0) return { kind: 'ignored', because: 'it has no parcel, status or time that can be used' };
  return { kind: 'events', events: boundedEvents(events) };
}
