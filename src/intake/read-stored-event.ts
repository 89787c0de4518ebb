import { tryParseJson } from '../../carriers/contract/json.js';
import { type ImsEvent, type ReadEvent, readPostedEvents } from '../ims/events.js';
import type { EventWithBody, StoredEvent } from './event-list.js';

/** A stored event as it is read today. */
export interface ReadAgain {
  readonly understood: ReadEvent;
  /** `search`: the search for missed events has made it. */
  readonly cameBy: 'post' | 'search';
}

/** Reads the body again; without one, what was read of it when it came. */
export function readStoredEvent({ event, body }: EventWithBody): ReadAgain {
  if (body === null) return { understood: fromColumns(event), cameBy: 'post' };
  const missed = missedEventIn(body);
  const events = readPostedEvents(Buffer.from(missed === null ? body : JSON.stringify(missed)));
  const understood = events.find(({ eventId }) => eventId === event.id) ?? events[0];
  return { understood: understood ?? NOTHING, cameBy: missed === null ? 'post' : 'search' };
}

const NOTHING: ReadEvent = { kind: 'unreadable', eventId: null, problems: ['the body holds no event'] };
const DELETED: ReadEvent = { kind: 'unreadable', eventId: null, problems: ['its body was deleted'] };

/** The packer and the carrier's name were in the body only. */
function fromColumns({ id, area, type, outcome, occurredAt, ...ids }: StoredEvent): ReadEvent {
  if (outcome === 'unreadable') return DELETED;
  const { documentType, documentId, shipmentId } = ids;
  const event: ImsEvent = {
    ...{
      kind: 'event',
      eventId: id,
      eventType: type,
      contextId: area,
      documentType,
      documentId,
      shipmentId,
      occurredAt,
    },
    ...{ shipmentIds: shipmentId === null ? [] : [shipmentId], carrierName: null, userId: null, deviceName: null },
  };
  return event;
}

/** `{ "lost": … }` is what `src/reconciliation/recover.ts` stores. */
function missedEventIn(body: string): object | null {
  const json = tryParseJson(body);
  const missed = typeof json === 'object' && json !== null && 'lost' in json ? json.lost : null;
  return typeof missed === 'object' ? missed : null;
}
