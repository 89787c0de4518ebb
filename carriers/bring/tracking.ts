import type { BookingRequest, CallbackDelivery, CallbackOutcome, FoundBooking } from '../contract/index.js';
import { type TrackingEvent, tryParseJson } from '../contract/index.js';
import { type EventFields, boundedEvents, hasSecret, listAt, neededList, readCall } from '../toolkit/index.js';
import { readEvents, readParcels, statusIn, statusTable, textAt, unexpected } from '../toolkit/index.js';

/** `status` of an event, in the Tracking API and in callbacks: this folder's README, Sources. */
export const STATUSES = statusTable({
  registered: ['PRE_NOTIFIED'],
  'handed-over': ['HANDED_IN', 'COLLECTED'],
  'in-transit': ['IN_TRANSIT', 'TERMINAL', 'INTERNATIONAL'],
  customs: ['CUSTOMS'],
  'out-for-delivery': ['TRANSPORT_TO_RECIPIENT'],
  'at-pickup-point': ['READY_FOR_PICKUP'],
  delivered: ['DELIVERED'],
  'delivery-failed': ['ATTEMPTED_DELIVERY', 'DEVIATION'], // a deviation is likely to delay: a person ought to read it
  returned: ['RETURN', 'DELIVERED_SENDER'],
  // what the recipient and Bring agree on
  skipped: ['DELIVERY_ORDERED', 'DELIVERY_CHANGED', 'DELIVERY_CANCELLED', 'NOTIFICATION_SENT', 'UNKNOWN'],
});

export const EVENT: EventFields = {
  ...{ at: 'dateIso', code: 'status', text: 'description', place: ['postalCode', 'city', 'country'] },
  statusOf: (code) => statusIn(STATUSES, code),
  /** The same for an event that is called and for the one that is asked for: tracking does not show the ids of calls. */
  idOf: (code, at) => code && `${code} ${new Date(Math.floor(Date.parse(at) / 1_000) * 1_000).toISOString()}`,
};

/** Where people follow a shipment or a package. */
export const consumerPage = (number: string) => `https://sporing.bring.no/sporing.html?q=${encodeURIComponent(number)}`;

/** @throws Error the answer says neither what was found nor that nothing was */
function consignmentsIn(json: unknown): readonly unknown[] {
  const consignments = neededList(json, 'consignmentSet');
  if (consignments.length === 0) throw unexpected(json, 'a consignment');
  return consignments;
}

/** The shipment whose sender's reference is ours; Bring does not say which of our parcels a number belongs to. */
export function fromBringSearch({ reference }: BookingRequest, json: unknown): FoundBooking | null {
  const ours = consignmentsIn(json).find((each) => textAt(each, 'senderReference') === reference);
  if (ours === undefined) return null;
  const carrierNumber = textAt(ours, 'consignmentId');
  const page = (number: string) => consumerPage(carrierNumber ?? number);
  const parcels = readParcels(listAt(ours, 'packageSet'), { number: 'packageNumber' }, page);
  return { carrierNumber, parcels, labelSource: null };
}

/** What happened to one package. A question for a package may be answered with the whole shipment. */
export function fromBringEvents(trackingNumber: string, json: unknown): readonly TrackingEvent[] {
  const events = consignmentsIn(json).flatMap((consignment) => {
    const trackingUrl = consumerPage(textAt(consignment, 'consignmentId') ?? trackingNumber);
    const packages = listAt(consignment, 'packageSet').filter((it) => textAt(it, 'packageNumber') === trackingNumber);
    return packages.flatMap((it) => {
      const estimatedDelivery = dayOf(textAt(it, 'dateOfEstimatedDelivery'));
      return readEvents(listAt(it, 'eventSet'), EVENT, { trackingNumber, trackingUrl, estimatedDelivery });
    });
  });
  return boundedEvents(events);
}

/** `05.03.2030` as `2030-03-05`; `null` for what is no day. */
const dayOf = (text: string | null) =>
  /^\d{4}-\d\d-\d\d$/.exec((text ?? '').split('.').reverse().join('-'))?.[0] ?? null;

/** Bring signs nothing; it sends the headers that a subscription names, so the one that we choose holds the secret. */
export const SECRET_HEADER = 'x-waybridge-secret';

/**
 * A callback of Event Cast: which package, and its new status, without words, place and expected day. These are asked
 * for; the event itself is kept as well, because tracking may not know it yet.
 */
export function parseBringCallback(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome {
  if (!hasSecret(delivery, SECRET_HEADER))
    return { kind: 'refused', because: `no secret that fits in ${SECRET_HEADER}` };
  return readCall(tryParseJson(raw), { ...EVENT, parcel: 'package', at: 'created', asks: true });
}
