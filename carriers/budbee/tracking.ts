import type { CallbackDelivery, CallbackOutcome } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { numberAt, textAt } from '../toolkit/json.js';
import { isSignedByHmac } from '../toolkit/tracking/hmac-signature.js';
import { statusTable } from '../toolkit/tracking/status-table.js';
import { boundedEvent, momentOfEpoch, momentWithOffset, trackingEvent } from '../toolkit/tracking/tracking-event.js';

/** V2 events. What becomes of a return that is fetched at home, and a change of the order, say nothing of this delivery. */
export const STATUSES = statusTable({
  registered: ['PARCEL_CREATED'],
  'in-transit': ['SORTED_AT_TERMINAL', 'INJECTED_IN_LOCKER', 'RETURN_HOME_PICKED_UP'],
  'out-for-delivery': ['DELIVERY_VEHICLE_LOADED'],
  'at-pickup-point': ['DELIVERED_TO_LOCKER'],
  delivered: ['DELIVERED_TO_CONSUMER', 'CONSUMER_PICKED_UP_FROM_LOCKER'],
  'delivery-failed': ['DELIVERY_FAILED', 'PARCEL_RECALLED'],
  returned: ['RETURNED_TO_MERCHANT'],
  cancelled: ['DELIVERY_CANCELLED'],
  skipped: [
    ...['RETURN_BOOKED_HOME', 'RETURN_HOME_PICK_UP_FAILED', 'HOME_DELIVERY_CHANGED', 'LOCKER_CHANGED'],
    ...['CHANGED_TO_LOCKER_DELIVERY', 'CHANGED_TO_HOME_DELIVERY'],
  ],
});

/** An assumption (README): no source shows a payload. What the first real calls say is to be mended here, and nowhere else. */
export const CALL = { code: 'eventType', parcel: 'packageId', at: 'timestamp' } as const;

export const SIGNATURE_HEADER = 'x-budbee-signature';
/** Numbers of parcels have 16 digits; what is much longer is none. */
const MAX_NUMBER_CHARACTERS = 100;

/** Signed with the secret API key; whether in hex or in base64 is not stated. A call has no moment of its own, so no age. */
export function parseBudbeeCallback(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome {
  const scheme = { header: SIGNATURE_HEADER, algorithm: 'sha1' } as const;
  const encodings = ['hex', 'base64'] as const;
  if (!encodings.some((encoding) => isSignedByHmac(raw, delivery, { ...scheme, encoding })))
    return { kind: 'refused', because: `no signature that fits in ${SIGNATURE_HEADER}` };
  const json = tryParseJson(raw);
  const [code, trackingNumber] = [textAt(json, CALL.code), textAt(json, CALL.parcel)];
  const at = momentOfEpoch(numberAt(json, CALL.at)) ?? momentWithOffset(textAt(json, CALL.at));
  if (code === null || at === null || trackingNumber === null || trackingNumber.length > MAX_NUMBER_CHARACTERS)
    return { kind: 'ignored', because: 'it has no event, parcel or time that can be read' };
  const status = STATUSES.has(code) ? STATUSES.get(code) : 'unrecognised';
  if (!status) return { kind: 'ignored', because: `${code} says nothing of where the parcel is` };
  // The same call again has the same id.
  return {
    kind: 'events',
    events: [boundedEvent(trackingEvent({ trackingNumber, status, code, at, id: `${code} ${at}` }))],
  };
}
