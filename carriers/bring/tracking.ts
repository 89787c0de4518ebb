import { type CallbackDelivery, type CallbackOutcome, tryParseJson } from '../contract/index.js';
import type { EventFields, TrackedShipments } from '../toolkit/index.js';
import { dayFrom, hasSecret, readCall, statusIn, statusTable, textAt } from '../toolkit/index.js';

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
  /** Called and polled events get the same id: tracking does not show the ids of calls. */
  idOf: (code, at) => code && `${code} ${new Date(Math.floor(Date.parse(at) / 1_000) * 1_000).toISOString()}`,
};

/** Where people follow a shipment or a package. */
export const consumerPage = (number: string) => `https://sporing.bring.no/sporing.html?q=${encodeURIComponent(number)}`;

/** A question for a package may be answered with the whole shipment. */
export const SHIPMENTS: TrackedShipments = {
  ...{ list: 'consignmentSet', neverEmpty: true, number: 'consignmentId', reference: 'senderReference' },
  ...{ parcels: 'packageSet', parcel: { number: 'packageNumber' }, events: 'eventSet', event: EVENT },
  pageOf: (number, shipment) => consumerPage(textAt(shipment, 'consignmentId') ?? number),
  about: (_shipment, parcel) => ({ estimatedDelivery: dayFrom(textAt(parcel, 'dateOfEstimatedDelivery')) }),
};

/** Bring signs nothing; it sends the headers that a subscription names, so the one that we choose holds the secret. */
export const SECRET_HEADER = 'x-waybridge-secret';

/**
 * A callback of Event Cast: which package, and its new status, without words, place and expected day. The parcel is
 * polled for these; the event itself is kept as well, because tracking may not know it yet.
 */
export function parseBringCallback(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome {
  if (!hasSecret(delivery, SECRET_HEADER))
    return { kind: 'refused', because: `no secret that fits in ${SECRET_HEADER}` };
  return readCall(tryParseJson(raw), { ...EVENT, parcel: 'package', at: 'created', polls: true });
}
