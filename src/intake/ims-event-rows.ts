import type { Sql } from '../db/database.js';
import { asJsonb } from '../db/json.js';
import { Personal } from '../db/sealing/personal.js';
import { eventIn } from './arrivals.js';
import type { EventTimes } from './event-time.js';

/** An event to store. */
export interface NewEvent {
  /** The sender's id, or one computed from an unreadable body. */
  readonly id: string;
  readonly area: string | null;
  readonly eventType: string | null;
  readonly documentType: string | null;
  readonly documentId: string | null;
  readonly shipmentId: string | null;
  readonly occurredAt: Date | null;
  readonly outcome: 'accepted' | 'ignored' | 'unreadable';
  readonly problems: readonly string[] | null;
  readonly body: string;
  readonly receivedAt: Date;
}

/**
 * Stores events with different ids.
 * @returns the ids that are new, with the time of the first arrival. An event that was ignored, for example
 * because its area was not configured, is new once it asks for something; it is stored then as it came then.
 */
export async function insertEvents(sql: Sql, events: readonly NewEvent[]): Promise<ReadonlyMap<string, Date>> {
  const rows = await sql.query<{ event_id: string; received_at: Date }>(
    `insert into event (event_id, area, event_type, document_type, document_id, shipment_id, occurred_at, outcome, problems,
                        body, received_at)
     select id, area, "eventType", "documentType", "documentId", "shipmentId", "occurredAt", outcome, problems, body,
            "receivedAt"
       from jsonb_to_recordset($1::jsonb) as given (id text, area text, "eventType" text, "documentType" text,
            "documentId" text, "shipmentId" text, "occurredAt" timestamptz, outcome text, problems jsonb, body text,
            "receivedAt" timestamptz)
     on conflict (event_id) do update
       set area = excluded.area, event_type = excluded.event_type, document_type = excluded.document_type,
           document_id = excluded.document_id, shipment_id = excluded.shipment_id, outcome = excluded.outcome,
           occurred_at = coalesce(excluded.occurred_at, event.occurred_at), problems = excluded.problems,
           body = excluded.body
       where event.outcome = 'ignored' and excluded.outcome = 'accepted'
     returning event_id, received_at`,
    [new Personal((seal) => asJsonb(events.map((event) => ({ ...event, body: seal.text(event.body) }))))],
  );
  return new Map(rows.map((row) => [row.event_id, row.received_at]));
}

/** @returns `null`: there is no such event */
export async function timesOfEvent(sql: Sql, eventId: string): Promise<EventTimes | null> {
  const [row] = await sql.query<EventTimes>(
    'select occurred_at as "occurredAt", received_at as "receivedAt" from event where event_id = $1',
    [eventId],
  );
  return row ?? null;
}

/** What the event says of the document that was cancelled; `null`: not that one was, as where it has no type. */
export async function cancellationIn(sql: Sql, eventId: string): Promise<Cancellation | null> {
  const [row] = await sql.query<Cancellation>(
    `select document_type as "documentType" from event where event_id = $1 and event_type = 'documentCancelled'`,
    [eventId],
  );
  return row ?? null;
}

interface Cancellation {
  readonly documentType: string | null;
}

/** Events of one document that are searched for its shipments. */
const MAX_SEARCHED = 100;

/**
 * The shipments of a document, as the first event of the document that names any does; bodies are read one by one, since
 * only they tell a list.
 */
export async function shipmentsOfDocument(sql: Sql, { area, documentId }: OfDocument): Promise<readonly string[]> {
  for (let searched = 0; searched < MAX_SEARCHED; searched += 1) {
    const [row] = await sql.query<{ event_id: string; shipment_id: string | null; body: string }>(
      `select event_id, shipment_id, body from event where document_id = $2 and area = $1
        order by received_at, event_id limit 1 offset $3`,
      [area, documentId, searched],
    );
    if (!row) return [];
    const listed = eventIn(row.body, row.event_id)?.shipmentIds ?? [];
    if (listed.length > 0) return listed;
    if (row.shipment_id !== null) return [row.shipment_id];
  }
  return [];
}

/** Notes of an event without a type that its document was cancelled, for a later event that names its shipment. */
export async function noteCancelled(
  sql: Sql,
  eventId: string,
  { documentType }: Pick<Cancellation, 'documentType'>,
): Promise<void> {
  await sql.query(
    `update event set event_type = 'documentCancelled', document_type = coalesce(document_type, $2)
      where event_id = $1 and event_type is null`,
    [eventId, documentType],
  );
}

/** The first event that says of a document that it was cancelled, and not of which shipment; `null`: there is none. */
export async function cancellationWithoutShipment(
  sql: Sql,
  { area, documentId }: OfDocument,
): Promise<(EventTimes & { readonly id: string; readonly body: string }) | null> {
  const [row] = await sql.query<EventTimes & { readonly id: string; readonly body: string }>(
    `select event_id as id, body, occurred_at as "occurredAt", received_at as "receivedAt" from event
      where document_id = $2 and area = $1 and event_type = 'documentCancelled' and shipment_id is null
      order by received_at limit 1`,
    [area, documentId],
  );
  return row ?? null;
}

/** When an event has said first that a document was cancelled: a later one says nothing about bookings made since. */
export async function timesOfCancellation(sql: Sql, { area, documentId }: OfDocument): Promise<EventTimes | null> {
  const [row] = await sql.query<EventTimes>(
    `select occurred_at as "occurredAt", received_at as "receivedAt" from event
      where document_id = $2 and area = $1 and event_type = 'documentCancelled' order by received_at limit 1`,
    [area, documentId],
  );
  return row ?? null;
}

/** The first cancellation of a shipment after this time that names no document of it; `null`: there is none. */
export async function cancellationOfShipment(
  sql: Sql,
  { area, shipmentId, after }: { readonly area: string; readonly shipmentId: string; readonly after: Date },
): Promise<{ readonly id: string; readonly body: string } | null> {
  const [row] = await sql.query<{ readonly id: string; readonly body: string }>(
    `select event_id as id, body from event
      where area = $1 and shipment_id = $2 and event_type = 'documentCancelled' and occurred_at > $3
        and document_id is null and document_type in ('TRANSPORT_BOOKING', 'DELIVERY_NOTE')
      order by occurred_at limit 1`,
    [area, shipmentId, after],
  );
  return row ?? null;
}

interface OfDocument {
  readonly area: string;
  readonly documentId: string | null;
}
