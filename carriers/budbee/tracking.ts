import type { CallbackDelivery, CallbackOutcome } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { numberAt, textAt } from '../toolkit/json.js';
import { isSignedByHmac } from '../toolkit/tracking/hmac-signature.js';
import { statusIn, statusTable } from '../toolkit/tracking/status-table.js';
import { boundedEvents, momentOfEpoch, momentWithOffset } from '../toolkit/tracking/tracking-event.js';
import { parcelNumberAt, trackingEvent } from '../toolkit/tracking/tracking-event.js';

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

/** Signed with the secret API key; whether in hex or in base64 is not stated. A call has no moment of its own, so no age. */
export function parseBudbeeCallback(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome {
  const isSigned = (['hex', 'base64'] as const).some((encoding) =>
    isSignedByHmac(raw, delivery, { header: SIGNATURE_HEADER, algorithm: 'sha1', encoding }),
  );
  if (!isSigned) return { kind: 'refused', because: `no signature that fits in ${SIGNATURE_HEADER}` };
  const json = tryParseJson(raw);
  const [code, trackingNumber] = [textAt(json, CALL.code), parcelNumberAt(json, CALL.parcel)];
  const at = momentOfEpoch(numberAt(json, CALL.at)) ?? momentWithOffset(textAt(json, CALL.at));
  if (code === null || at === null || trackingNumber === null)
    return { kind: 'ignored', because: 'it has no event, parcel or time that can be read' };
  const status = statusIn(STATUSES, code);
  if (status === null) return { kind: 'ignored', because: `${code} says nothing of where the parcel is` };
  // The same call again has the same id.
  const event = trackingEvent({ trackingNumber, status, code, at, id: `${code} ${at}` });
  return { kind: 'events', events: boundedEvents([event]) };
}
