import type { Sql } from '../db/database.js';
import { type ConsignmentState, type Stored, fromStoredState } from '../consignment/states.js';
import { type TaskView, tasksOfEvents } from '../tasks/task-rows.js';
import type { NewEvent } from './ims-event-rows.js';

export const EVENT_OUTCOMES = ['accepted', 'ignored', 'unreadable'] as const satisfies readonly NewEvent['outcome'][];

/** `null`, here and below: all. */
export interface EventFilter {
  readonly areas: readonly string[] | null;
  /** Types of events of the IMS: `documentCreated` … */
  readonly types: readonly string[] | null;
  readonly outcomes: readonly NewEvent['outcome'][] | null;
  /** Only those that came at this time or later, … */
  readonly since: Date | null;
  /** … and before this one. */
  readonly until: Date | null;
  /** Exactly the id of the event, its document, its shipment, a consignment of it, or the number of the shipment. */
  readonly q: string | null;
}

export interface EventPage {
  /** The `cursor` of the page before; `null`: the first page. */
  readonly cursor: string | null;
  readonly limit: number;
}

/** A place between two rows. */
export const EVENT_CURSOR =
  /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z_[\x21-\x7e]{1,120}$/;

/** An event as it was understood when it came. */
export interface StoredEvent {
  readonly id: string;
  readonly area: string | null;
  readonly type: string | null;
  readonly documentType: string | null;
  readonly documentId: string | null;
  readonly shipmentId: string | null;
  /** `null`: the event does not say when. */
  readonly occurredAt: Date | null;
  readonly receivedAt: Date;
  /** `accepted`: it asked for something; `ignored`: for nothing of ours. */
  readonly outcome: NewEvent['outcome'];
  /** Why it was ignored or could not be read. */
  readonly problems: readonly string[] | null;
}

/** What became of an event. */
export interface Consequences {
  readonly consignment: {
    readonly id: string;
    readonly state: ConsignmentState;
    readonly shipmentNumber: string | null;
  } | null;
  readonly tasks: readonly TaskView[];
}

interface EventRow {
  readonly event_id: string;
  readonly area: string | null;
  readonly event_type: string | null;
  readonly document_type: string | null;
  readonly document_id: string | null;
  readonly shipment_id: string | null;
  readonly occurred_at: Date | null;
  readonly received_at: Date;
  readonly outcome: NewEvent['outcome'];
  readonly problems: readonly string[] | null;
}

/** Without the body, which can be long. */
const COLUMNS = `e.event_id, e.area, e.event_type, e.document_type, e.document_id, e.shipment_id, e.occurred_at,
                 e.received_at, e.outcome, e.problems`;
const ORDER = 'order by received_at desc, event_id desc';

function toStored(row: EventRow): StoredEvent {
  return {
    ...{ id: row.event_id, area: row.area, type: row.event_type, outcome: row.outcome, problems: row.problems },
    ...{ documentType: row.document_type, documentId: row.document_id, shipmentId: row.shipment_id },
    ...{ occurredAt: row.occurred_at, receivedAt: row.received_at },
  };
}

/**
 * Newest first. @param areas of the configuration
 * @returns the events of the page, and where the next one begins; `null`: there is none
 */
export async function listEvents(
  sql: Sql,
  filter: EventFilter,
  { cursor, limit, areas }: EventPage & { readonly areas: readonly string[] },
): Promise<{ readonly events: readonly StoredEvent[]; readonly cursor: string | null }> {
  const values: unknown[] = [];
  const value: AddValue = (given) => `$${values.push(given)}`;
  const where = [...conditionsOf(filter, value), ...beyond(cursor, value)].map((each) => ` and ${each}`).join('');
  const listed = `where true${where} ${ORDER} limit ${value(limit + 1)}`;
  const rows = await sql.query<EventRow>(statement(filter.q, listed, { value, areas }), values);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last ? `${last.received_at.toISOString()}_${last.event_id}` : null;
  return { events: shown.map(toStored), cursor: next };
}

/** Adds a value of the statement. @returns its placeholder */
type AddValue = (value: unknown) => string;

/** A number is looked up before anything is sorted; without one, the index of the list is enough to find the rows. */
function statement(
  q: string | null,
  listed: string,
  { value, areas }: { readonly value: AddValue; readonly areas: readonly string[] },
): string {
  if (q === null)
    return `with listed as materialized (select event_id, received_at from event ${listed})
            select ${COLUMNS} from listed l join event e on e.event_id = l.event_id
             order by e.received_at desc, e.event_id desc`;
  const exact = value(q);
  const known = `from consignment where id = ${exact} or shipment_number = ${exact} or document_id = ${exact}`;
  return `with found as materialized (
            select ${COLUMNS} from event e
             where e.event_id = any(array(select ${exact}::text union select event_id ${known}))
                or e.document_id = ${exact}
                or (e.area = any(${value(areas)}::text[])
                    and e.shipment_id = any(array(select ${exact}::text union select shipment_id ${known}))))
          select * from found ${listed}`;
}

function conditionsOf({ areas, types, outcomes, since, until }: EventFilter, value: AddValue): readonly string[] {
  return [
    areas && `area = any(${value(areas)}::text[])`,
    types && `event_type = any(${value(types)}::text[])`,
    outcomes && `outcome = any(${value(outcomes)}::text[])`,
    since && `received_at >= ${value(since)}::timestamptz`,
    until && `received_at < ${value(until)}::timestamptz`,
  ].filter((each) => each !== null);
}

function beyond(cursor: string | null, value: AddValue): readonly string[] {
  const place = cursor?.indexOf('_') ?? -1;
  const at = new Date(cursor?.slice(0, place) ?? Number.NaN);
  if (cursor === null || Number.isNaN(at.getTime())) return [];
  return [`(received_at, event_id) < (${value(at)}::timestamptz, ${value(cursor.slice(place + 1))}::text)`];
}

/** An event with its body as it came; `null`: the body was deleted. */
export interface EventWithBody {
  readonly event: StoredEvent;
  readonly body: string | null;
}

/** @returns `null`: there is no such event */
export async function findEvent(sql: Sql, id: string): Promise<EventWithBody | null> {
  const [row] = await sql.query<EventRow & { readonly body: string }>(
    `select ${COLUMNS}, e.body from event e where e.event_id = $1`,
    [id],
  );
  // Retention empties bodies.
  return row ? { event: toStored(row), body: row.body === '' ? null : row.body } : null;
}

interface FoundRow {
  readonly event_id: string;
  readonly id: string;
  readonly state: Stored<ConsignmentState>;
  readonly shipment_number: string | null;
}

/** What became of events, by their ids. */
export async function consequencesOf(
  sql: Sql,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<string, Consequences>> {
  const accepted = events.filter(({ outcome }) => outcome === 'accepted');
  const consignments = await consignmentsOf(sql, accepted);
  const ids = accepted.map(({ id }) => id);
  const tasks = ids.length === 0 ? [] : await tasksOfEvents(sql, ids);
  return new Map(
    events.map(({ id }) => {
      const own = tasks.filter(({ eventId }) => eventId === id);
      return [id, { consignment: consignments.get(id) ?? null, tasks: own }] as const;
    }),
  );
}

/** The consignment of the event's document, else the one it began, else, of a cancellation, the shipment's latest. */
async function consignmentsOf(
  sql: Sql,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<string, NonNullable<Consequences['consignment']>>> {
  if (events.length === 0) return new Map();
  const rows = await sql.query<FoundRow>(
    `select e.event_id, c.id, c.state, c.shipment_number
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
              as e (event_id, area, event_type, document_id, shipment_id),
            lateral (select * from consignment where area = e.area
                        and (document_id = e.document_id
                             or (shipment_id = e.shipment_id
                                 and (event_id = e.event_id or e.event_type = 'documentCancelled')))
                      order by document_id is not distinct from e.document_id desc, created_at desc limit 1) c`,
    [
      events.map(({ id }) => id),
      events.map(({ area }) => area),
      events.map(({ type }) => type),
      events.map(({ documentId }) => documentId),
      events.map(({ shipmentId }) => shipmentId),
    ],
  );
  return new Map(
    rows.map(({ event_id: eventId, id, state, shipment_number: shipmentNumber }) => [
      eventId,
      { id, state: fromStoredState(state), shipmentNumber },
    ]),
  );
}
