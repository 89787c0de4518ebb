import { type CallbackDelivery, type CallbackOutcome, isJsonObject, tryParseJson } from '../../contract/index.js';
import { TRACKING_STATUSES, type TrackingEvent, type TrackingStatus } from '../../contract/tracking.js';
import { textAt, valueAt } from '../json.js';
import { refusalOf } from './standard-webhooks.js';
import { boundedEvent, momentWithOffset } from './tracking-event.js';

const MAX_NUMBER_CHARACTERS = 100;
const MAX_ADDRESS_CHARACTERS = 500;

const STATUSES: ReadonlyMap<unknown, TrackingStatus> = new Map(TRACKING_STATUSES.map((status) => [status, status]));

/**
 * A plain format of tracking events, for senders without a format of their own: `{ "events": [{ "trackingNumber",
 * "status", "at", "code"?, "text"?, "place"?, "estimatedDelivery"?, "id"?, "trackingUrl"? }] }`, or a single event,
 * signed by Standard Webhooks. An unknown status becomes `unrecognised`, with the word as its code.
 */
export function plainTracking(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome {
  const refusal = refusalOf(raw, delivery);
  if (refusal !== null) return { kind: 'refused', because: refusal };
  const body = tryParseJson(raw);
  if (!isJsonObject(body)) return { kind: 'ignored', because: 'not a JSON object' };
  const several = valueAt(body, 'events');
  const rows: readonly unknown[] = Array.isArray(several) ? several : [body];
  const events = rows.map(readPlainEvent).filter((event) => event !== null);
  if (events.length === 0) return { kind: 'ignored', because: 'no event in it can be read' };
  return { kind: 'events', events, unread: rows.length - events.length };
}

/** One event; `null`: it has no number, status or readable time. */
export function readPlainEvent(row: unknown): TrackingEvent | null {
  const trackingNumber = wholeAt(row, 'trackingNumber', MAX_NUMBER_CHARACTERS);
  const word = wholeAt(row, 'status', MAX_NUMBER_CHARACTERS);
  const at = momentWithOffset(wholeAt(row, 'at', MAX_NUMBER_CHARACTERS));
  if (trackingNumber === null || word === null || at === null) return null;
  const status = STATUSES.get(word) ?? 'unrecognised';
  return boundedEvent({
    trackingNumber,
    status,
    code: textAt(row, 'code') ?? (status === 'unrecognised' ? word : null),
    text: textAt(row, 'text'),
    place: textAt(row, 'place'),
    at,
    zone: 'stated',
    estimatedDelivery: textAt(row, 'estimatedDelivery'),
    id: textAt(row, 'id'),
    trackingUrl: wholeAt(row, 'trackingUrl', MAX_ADDRESS_CHARACTERS),
  });
}

/** A text that must not be cut; `null`: blank or too long. */
function wholeAt(row: unknown, key: string, longest: number): string | null {
  const text = textAt(row, key)?.trim() ?? '';
  return text === '' || text.length > longest ? null : text;
}
