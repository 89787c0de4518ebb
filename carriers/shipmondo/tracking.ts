import type { CallbackDelivery, CallbackOutcome } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { textAt, valueAt } from '../toolkit/json.js';
import { contentOfToken } from '../toolkit/tracking/signed-token.js';
import { statusIn, statusTable } from '../toolkit/tracking/status-table.js';
import { boundedEvent, momentWithOffset, parcelNumberAt, trackingEvent } from '../toolkit/tracking/tracking-event.js';

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
  const [code, moment] = [textAt(told, 'current_status'), textAt(told, 'current_status_registered_at')];
  const [trackingNumber, at] = [parcelNumberAt(told, 'carrier_track_id'), momentWithOffset(moment)];
  if (code === null || trackingNumber === null || at === null)
    return { kind: 'ignored', because: 'it has no status, parcel or time that can be read' };
  const isWrong = textAt(told, 'current_state') === DANGER && code !== 'DELIVERED';
  const status = isWrong ? 'delivery-failed' : statusIn(STATUSES, code);
  if (status === null) return { kind: 'ignored', because: `${code} says nothing of where the parcel is` };
  // the same call again has the same id
  const id = `${textAt(told, 'shipment_id')} ${code} ${moment}`;
  const words = { text: textAt(told, 'current_status_text'), place: textAt(told, 'city') };
  return { kind: 'events', events: [boundedEvent(trackingEvent({ trackingNumber, status, code, at, id, ...words }))] };
}
