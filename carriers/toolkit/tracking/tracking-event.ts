import type { TrackingEvent, TrackingStatus } from '../../contract/index.js';
import { textAt } from '../json.js';

/** The most events of one parcel in one answer: many times what a parcel has. */
const MAX_EVENTS = 500;
const MAX_WORD_CHARACTERS = 100;
const MAX_TEXT_CHARACTERS = 500;
/** ISO 8601 with an offset; seconds, and the colon of the offset, may be missing. */
const MOMENT = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:(Z)|([+-]\d\d):?(\d\d))$/;

/** A moment with its offset written `+01:00` or `Z`; `null`: not a time, or a time without an offset. */
export function momentWithOffset(text: string | null): string | null {
  const [, local, utc, hours, minutes] = MOMENT.exec(text ?? '') ?? [];
  if (local === undefined) return null;
  const moment = local + (utc ?? `${hours}:${minutes}`);
  return Number.isNaN(Date.parse(moment)) ? null : moment;
}

/** Milliseconds since 1970, as a moment in UTC; `null` for what is none. */
export function momentOfEpoch(milliseconds: number | null): string | null {
  const moment = new Date(milliseconds ?? NaN);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

type Known = Pick<TrackingEvent, 'trackingNumber' | 'status' | 'code' | 'at'> & Partial<TrackingEvent>;

/** An event with these values. Missing values are `null`; the time counts as one with a stated zone. */
export function trackingEvent(known: Known): TrackingEvent {
  return { text: null, place: null, estimatedDelivery: null, id: null, zone: 'stated', ...known };
}

/** The number of a parcel in an answer or a callback; `null` for what is missing, and for what is too long to be one. */
export function parcelNumberAt(json: unknown, ...path: readonly string[]): string | null {
  const number = textAt(json, ...path);
  return number !== null && number.length <= MAX_WORD_CHARACTERS ? number : null;
}

/** Where a carrier's answer has the parts of an event. */
export interface EventFields {
  readonly at: string;
  readonly code: string;
  readonly text?: string;
  /** On one line; an inner field by its path, such as `location.city`. */
  readonly place?: readonly string[];
  /** Reads a time; `momentWithOffset` when not given. */
  momentOf?(text: string | null, row: unknown): string | null;
  /** Names the event, so that it is stored once; missing: the carrier gives nothing to do it by. @param at with an offset */
  idOf?(code: string | null, at: string): string | null;
  /** @returns `null`: it says nothing about where the parcel is, and is left out */
  statusOf(code: string | null, row: unknown): TrackingStatus | null;
}

/**
 * What happened to a parcel, from the rows of an answer. A row without a time is left out.
 * @param known what all of them have, such as the parcel
 */
export function readEvents(
  rows: readonly unknown[],
  { at: time, code: name, text, place = [], momentOf = momentWithOffset, statusOf, idOf }: EventFields,
  known: Pick<TrackingEvent, 'trackingNumber'> & Partial<TrackingEvent>,
): readonly TrackingEvent[] {
  return rows.flatMap((row) => {
    const code = textAt(row, name);
    const at = momentOf(textAt(row, time), row);
    const status = statusOf(code, row);
    if (at === null || status === null) return [];
    const words = { text: text === undefined ? null : textAt(row, text), place: placeIn(row, ...place) };
    return trackingEvent({ ...words, id: idOf?.(code, at) ?? null, ...known, status, code, at });
  });
}

/** The place of an event from these fields, on one line. */
export function placeIn(event: unknown, ...fields: readonly string[]): string | null {
  return fields.flatMap((path) => textAt(event, ...path.split('.')) ?? []).join(' ') || null;
}

/** The newest events of a parcel, each bounded by `boundedEvent`. */
export function boundedEvents(events: readonly TrackingEvent[]): readonly TrackingEvent[] {
  const newestFirst = [...events].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return newestFirst.slice(0, MAX_EVENTS).map(boundedEvent);
}

/** An event with texts of bounded length; a blank text becomes `null`. */
export function boundedEvent(event: TrackingEvent): TrackingEvent {
  return {
    ...event,
    code: upTo(MAX_WORD_CHARACTERS, event.code),
    text: upTo(MAX_TEXT_CHARACTERS, event.text),
    place: upTo(MAX_TEXT_CHARACTERS, event.place),
    estimatedDelivery: upTo(MAX_WORD_CHARACTERS, event.estimatedDelivery),
    id: upTo(MAX_TEXT_CHARACTERS, event.id),
  };
}

function upTo(longest: number, text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  // cuts by characters, because half of one cannot be stored
  return trimmed === '' ? null : Array.from(trimmed).slice(0, longest).join('');
}

/** Tracks the parcels of a carrier that is asked for one at a time. */
export function oneByOne(
  ask: (trackingNumber: string) => Promise<readonly TrackingEvent[]>,
): (trackingNumbers: readonly string[]) => Promise<readonly TrackingEvent[]> {
  return async (trackingNumbers) => (await Promise.all(trackingNumbers.map(ask))).flat();
}
