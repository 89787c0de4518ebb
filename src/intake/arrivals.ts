import { storable } from '../../carriers/contract/plain-text.js';
import { tryParseJson } from '../../carriers/contract/json.js';
import { type ImsEvent, type ReadEvent, readPostedEvents } from '../ims/events.js';
import type { Lease } from '../worker/lease.js';
import { type KnownAreas, areaOfEvent, classifyEvent } from './classify-event.js';

/** An event as it was posted. */
export interface Arrival {
  readonly event: ReadEvent;
  /** As it came. */
  readonly body: string;
  readonly now: Date;
  /** Another program may have booked it: the consignment starts in doubt. */
  readonly possiblyBooked?: boolean;
  /** The lease under which a booking of this area is stored; `null`: none, because it could not start at once. */
  readonly leaseFor?: (area: string) => Lease | null;
}

/** The posted events, each with its own text. */
export function arrivalsIn(body: Uint8Array): readonly Omit<Arrival, 'now'>[] {
  const events = readPostedEvents(body);
  const [only, ...more] = events;
  if (only && more.length === 0) return [{ event: only, body: storable(Buffer.from(body).toString('utf8')) }];
  const json = tryParseJson(body);
  return events.map((event, index) => ({
    event,
    body: storable(JSON.stringify(Array.isArray(json) ? (json as readonly unknown[])[index] : null)),
  }));
}

/** The areas of events that ask for something. */
export function areasWithWork(arrivals: readonly Omit<Arrival, 'now'>[], areas: KnownAreas): ReadonlySet<string> {
  const found = arrivals.map(({ event }) => {
    const area = event.kind === 'event' ? areaOfEvent(event, areas) : null;
    return classifyEvent(event, area, areas).kind === 'nothing' ? null : area;
  });
  return new Set(found.filter((area) => area !== null));
}

/** Parses a stored event again. @param body the stored text; `null`: none */
export function eventIn(body: string | null, eventId: string): ImsEvent | null {
  const events = body === null ? [] : readPostedEvents(Buffer.from(body));
  const [found] = events.flatMap((event) => (event.kind === 'event' && event.eventId === eventId ? [event] : []));
  return found ?? null;
}
