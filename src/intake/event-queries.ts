import type { Database } from '../db/database.js';
import { type EventAction, type KnownAreas, areaOfEvent, classifyEvent } from './classify-event.js';
import {
  type Consequences,
  type EventFilter,
  type EventPage,
  type StoredEvent,
  consequencesOf,
  findEvent,
  listEvents,
} from './event-list.js';
import { type ReadAgain, readStoredEvent } from './read-stored-event.js';

/** A row of the list. */
export type ListedEvent = StoredEvent & Consequences;

/** One event with everything that is known of it. */
export interface WholeEvent extends ListedEvent, ReadAgain {
  /** The body as it came, or as the search for missed events made it; `null`: deleted. Can hold names and addresses. */
  readonly body: string | null;
  /** What it asks for today. */
  readonly action: EventAction;
}

/** Events for operators. */
export interface EventQueries {
  /** Newest first. */
  list(
    filter: EventFilter,
    page: EventPage,
  ): Promise<{ readonly events: readonly ListedEvent[]; readonly cursor: string | null }>;
  /** @returns `null`: there is no such event */
  one(id: string): Promise<WholeEvent | null>;
}

const NOTHING: Consequences = { consignment: null, tasks: [] };

export function eventQueries({
  database,
  areas,
}: {
  readonly database: Database;
  readonly areas: KnownAreas;
}): EventQueries {
  return {
    list: async (filter, page) => {
      const { events, cursor } = await listEvents(database, filter, { ...page, areas: [...areas.keys()] });
      const consequences = await consequencesOf(database, events);
      return { events: events.map((event) => ({ ...event, ...(consequences.get(event.id) ?? NOTHING) })), cursor };
    },
    one: async (id) => {
      const found = await findEvent(database, id);
      if (found === null) return null;
      const { event, body } = found;
      const { understood, cameBy } = readStoredEvent(found);
      const area = understood.kind === 'event' ? areaOfEvent(understood, areas) : null;
      const consequences = (await consequencesOf(database, [event])).get(id) ?? NOTHING;
      return { ...event, ...consequences, body, cameBy, understood, action: classifyEvent(understood, area, areas) };
    },
  };
}
