import { type CallbackDelivery, type CallbackOutcome, tryParseJson } from '../contract/index.js';
import { TRACKING_STATUSES, type TrackingEvent, type TrackingStatus } from '../contract/tracking.js';
import { refusalOf } from './standard-webhooks.js';

/** More in one call is no callback. */
const MOST_EVENTS = 1_000;
const LONGEST_NUMBER = 100;
const LONGEST_TEXT = 500;
/** ISO 8601 with seconds as an option and an offset that is not. */
const MOMENT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

const STATUSES: ReadonlyMap<unknown, TrackingStatus> = new Map(TRACKING_STATUSES.map((status) => [status, status]));

/**
 * Tracking in plain words, for senders without a form of their own: `{ "events": [{ "trackingNumber", "status", "at",
 * "code"?, "text"?, "place"?, "estimatedDelivery"?, "id"?, "trackingUrl"? }] }`, or one event alone, signed by Standard
 * Webhooks. A status that is none of ours is `unrecognised`, with that word as its code.
 */
export function plainTracking(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome {
  const refusal = refusalOf(raw, delivery);
  if (refusal !== null) return { kind: 'refused', because: refusal };
  const body = tryParseJson(raw);
  if (!isObject(body)) return { kind: 'ignored', because: 'not a JSON object' };
  const rows: readonly unknown[] = Array.isArray(body['events']) ? body['events'] : [body];
  if (rows.length > MOST_EVENTS) return { kind: 'ignored', because: `more than ${MOST_EVENTS} events` };
  const events = rows.map(readEvent);
  const readable = events.filter((event) => event !== null);
  if (readable.length === 0) return { kind: 'ignored', because: 'no event in it can be read' };
  return { kind: 'events', events: readable };
}

/** @returns `null` without a number, a status or a time that can be read */
function readEvent(row: unknown): TrackingEvent | null {
  if (!isObject(row)) return null;
  const trackingNumber = textAt(row, 'trackingNumber', LONGEST_NUMBER);
  const word = textAt(row, 'status', LONGEST_NUMBER);
  const at = textAt(row, 'at', LONGEST_NUMBER);
  if (trackingNumber === null || word === null || at === null || !isMoment(at)) return null;
  const status = STATUSES.get(word) ?? 'unrecognised';
  return {
    trackingNumber,
    status,
    code: textAt(row, 'code', LONGEST_NUMBER) ?? (status === 'unrecognised' ? word : null),
    text: textAt(row, 'text', LONGEST_TEXT),
    place: textAt(row, 'place', LONGEST_TEXT),
    at,
    zone: 'stated',
    estimatedDelivery: textAt(row, 'estimatedDelivery', LONGEST_NUMBER),
    id: textAt(row, 'id', LONGEST_TEXT),
    trackingUrl: textAt(row, 'trackingUrl', LONGEST_TEXT),
  };
}

function isMoment(text: string): boolean {
  return MOMENT.test(text) && !Number.isNaN(Date.parse(text));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text that is not blank, or a number's digits, cut to so many characters; `null` otherwise. */
function textAt(row: Readonly<Record<string, unknown>>, key: string, longest: number): string | null {
  const value = Object.hasOwn(row, key) ? row[key] : undefined;
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, longest) : null;
}
