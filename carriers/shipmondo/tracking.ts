import type { CallbackDelivery, CallbackOutcome } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { textAt, valueAt } from '../toolkit/json.js';
import { readCall } from '../toolkit/tracking/call.js';
import { contentOfToken } from '../toolkit/tracking/signed-token.js';
import { statusIn, statusTable } from '../toolkit/tracking/status-table.js';

/** `current_status`, as clients have seen it: the complete list is not public. */
export const STATUSES = statusTable({
  'in-transit': ['EN_ROUTE'],
  'at-pickup-point': ['AVAILABLE_FOR_DELIVERY'],
  delivered: ['DELIVERED'],
  skipped: ['UNKNOWN'],
});

/** `current_state` of what went wrong; the status says nothing of it. */
export const DANGER = 'DANGER';

/** `{ data }` with a token that is signed with the webhook's key. It has no moment of its own, so no age. */
export function parseShipmondoCallback(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome {
  const content = contentOfToken(textAt(tryParseJson(raw), 'data') ?? '', delivery);
  if (content === null) return { kind: 'refused', because: 'no token in data with a signature that fits' };
  const payload = tryParseJson(content);
  // some calls hold the object as a text of JSON
  const told = valueAt(typeof payload === 'string' ? tryParseJson(payload) : payload, 'data');
  return readCall(told, {
    ...{ parcel: 'carrier_track_id', at: 'current_status_registered_at', code: 'current_status' },
    ...{ text: 'current_status_text', place: ['city'] },
    statusOf: (code) => {
      const isWrong = textAt(told, 'current_state') === DANGER && code !== 'DELIVERED';
      return isWrong ? 'delivery-failed' : statusIn(STATUSES, code);
    },
    // the same call again has the same id
    idOf: (code) => `${textAt(told, 'shipment_id')} ${code} ${textAt(told, 'current_status_registered_at')}`,
  });
}
