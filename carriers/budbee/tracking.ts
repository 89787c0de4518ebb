import type { CallbackDelivery, CallbackOutcome } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { numberAt } from '../toolkit/json.js';
import type { CallFields } from '../toolkit/tracking/call.js';
import { readCall } from '../toolkit/tracking/call.js';
import { isSignedByHmac } from '../toolkit/tracking/hmac-signature.js';
import { statusIn, statusTable } from '../toolkit/tracking/status-table.js';
import { momentOfEpoch, momentWithOffset } from '../toolkit/tracking/tracking-event.js';

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
export const CALL = {
  ...{ code: 'eventType', parcel: 'packageId', at: 'timestamp' },
  momentOf: (text, call) => momentOfEpoch(numberAt(call, 'timestamp')) ?? momentWithOffset(text),
  statusOf: (code) => statusIn(STATUSES, code),
  idOf: (code, at) => `${code} ${at}`, // the same call again has the same id
} as const satisfies CallFields;

export const SIGNATURE_HEADER = 'x-budbee-signature';

/** Signed with the secret API key; whether in hex or in base64 is not stated. A call has no moment of its own, so no age. */
export function parseBudbeeCallback(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome {
  const isSigned = (['hex', 'base64'] as const).some((encoding) =>
    isSignedByHmac(raw, delivery, { header: SIGNATURE_HEADER, algorithm: 'sha1', encoding }),
  );
  if (!isSigned) return { kind: 'refused', because: `no signature that fits in ${SIGNATURE_HEADER}` };
  return readCall(tryParseJson(raw), CALL);
}
