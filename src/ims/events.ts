import { tryParseJson, type JsonObject, isJsonObject } from '../../carriers/contract/json.js';
import { objectField, textField, fieldValue } from './json-fields.js';

/** The parts of an IMS event that we use. Ids are text, also where they came as numbers; `null`: missing. */
export interface ImsEvent {
  readonly kind: 'event';
  /** Messages about it are posted to this id. */
  readonly eventId: string;
  /** `documentCreated` …; `null` where a forwarder sends only some fields: the document tells its type. */
  readonly eventType: string | null;
  readonly contextId: string | null;
  readonly documentType: string | null;
  readonly documentId: string | null;
  /** The shipment that it names, also in a list of one; `null`: none, or several in a list. */
  readonly shipmentId: string | null;
  /** Every shipment it names, `shipmentId` first. */
  readonly shipmentIds: readonly string[];
  readonly carrierName: string | null;
  /** As it came, because it goes back like that in messages. */
  readonly userId: string | number | null;
  readonly deviceName: string | null;
  readonly occurredAt: Date | null;
}

/** `occurredAt` has whole seconds and comes from another clock; times of arrival are our own. */
export const EVENT_TIME_TOLERANCE_MS = 2_000;

export type ReadEvent =
  ImsEvent | { readonly kind: 'unreadable'; readonly eventId: string | null; readonly problems: readonly string[] };

/** A body of 1 MB cannot hold more events whose ids are UUIDs. */
const MAX_EVENTS = 20_000;
const MAX_SHIPMENTS = 10_000;
const MAX_NESTING = 32;
/** Letters, digits and signs that leave ink, no blanks. */
const ID = /^[\x21-\x7e]{1,100}$/;
/** Names may hold blanks, but nothing that moves a cursor, and no half of a character, which a database refuses. */
const NAME = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
/** A time outside of these years is a mistake, and a database may not hold it. */
const YEARS = { first: 2000, last: 2200 } as const;

const UNSAFE_DEPTH = `the body is nested deeper than ${MAX_NESTING} levels`;

/**
 * Reads what a sender of events posted: one event or an array of them, each as an EventBridge envelope, as the bare
 * `detail` of one, or as some fields of a `detail`. Never throws: what cannot be read says why.
 */
export function readPostedEvents(body: Uint8Array): readonly ReadEvent[] {
  if (nesting(body) > MAX_NESTING) return [unreadable(null, [UNSAFE_DEPTH])];
  const json = tryParseJson(body);
  if (json === undefined) return [unreadable(null, ['the body is not JSON'])];
  if (!Array.isArray(json)) return [readEvent(json)];
  if (json.length > MAX_EVENTS) return [unreadable(null, [`more than ${MAX_EVENTS} events at once`])];
  return json.map(readEvent);
}

function readEvent(value: unknown): ReadEvent {
  if (!isJsonObject(value)) return unreadable(null, ['an event must be a JSON object']);
  const problems: string[] = [];
  const detail = objectField(value, 'detail') ?? value;
  const id = (key: string) => readId(fieldValue(detail, key), key, problems);
  const eventId = id('eventId');
  const shipmentId = id('shipmentId');
  const shipmentIds = shipmentsOf(detail, shipmentId, problems);
  const event = {
    kind: 'event' as const,
    eventType: name(value, 'detail-type') ?? name(detail, 'eventType'),
    contextId: id('contextId'),
    documentType: name(detail, 'documentType'),
    documentId: id('documentId'),
    shipmentId: shipmentId ?? onlyOf(shipmentIds),
    shipmentIds,
    carrierName: name(detail, 'carrierName'),
    userId: readUser(detail),
    deviceName: name(detail, 'deviceName'),
    occurredAt: readTime(value),
  };
  if (eventId === null && problems.length === 0) problems.push('eventId is missing');
  return eventId === null || problems.length > 0 ? unreadable(eventId, problems) : { ...event, eventId };
}

function unreadable(eventId: string | null, problems: readonly string[]): ReadEvent {
  return { kind: 'unreadable', eventId, problems };
}

/** A wrong id is a problem, not a missing one: acting on half an event would be worse than telling the sender. */
function readId(value: unknown, key: string, problems: string[]): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (typeof value === 'string' && ID.test(value)) return value;
  problems.push(`${key} is not an id: text of 1 to 100 visible characters, or a whole number`);
  return null;
}

function shipmentsOf(detail: JsonObject, shipmentId: string | null, problems: string[]): readonly string[] {
  const listed = fieldValue(detail, 'shipmentIds') ?? [];
  if (!Array.isArray(listed) || listed.length > MAX_SHIPMENTS) {
    problems.push(`shipmentIds is not an array of at most ${MAX_SHIPMENTS} ids`);
    return [];
  }
  const ids = [shipmentId, ...listed.map((value) => readId(value, 'shipmentIds', problems))];
  return [...new Set(ids.filter((id) => id !== null))];
}

function onlyOf(ids: readonly string[]): string | null {
  const [only = null, ...more] = ids;
  return more.length === 0 ? only : null;
}

function name(object: JsonObject, key: string): string | null {
  const text = textField(object, key);
  return text !== null && NAME.test(text) ? text : null;
}

function readUser(detail: JsonObject): string | number | null {
  const user = fieldValue(detail, 'userId');
  return typeof user === 'number' ? user : name(detail, 'userId');
}

/** Only an envelope says when. */
function readTime(envelope: JsonObject): Date | null {
  const at = new Date(textField(envelope, 'time') ?? Number.NaN);
  const year = at.getUTCFullYear();
  return year >= YEARS.first && year <= YEARS.last ? at : null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** How deep brackets are nested, outside of texts; counted before parsing, which would recurse. */
function nesting(body: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let text: 'inside' | 'outside' = 'outside';
  for (let at = 0; at < body.length && deepest <= MAX_NESTING; at += 1) {
    const byte = body[at] ?? 0;
    if (text === 'inside' && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) text = text === 'inside' ? 'outside' : 'inside';
    else if (text === 'outside') depth += step(byte);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function step(byte: number): number {
  if (OPENING.has(byte)) return 1;
  return CLOSING.has(byte) ? -1 : 0;
}
