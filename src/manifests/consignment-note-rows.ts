import type { Sql } from '../db/database.js';
import { asJsonb } from '../db/json.js';
import type { Consignment } from '../consignment/consignment.js';
import { type ConsignmentRow, toConsignment } from '../consignment/ledger/row.js';
import { sqlStatesThat } from '../consignment/states.js';
import { EVENT_TIME_TOLERANCE_MS } from '../ims/events.js';

/** The content of a consignment note's event. */
export interface ConsignmentNote {
  readonly area: string;
  readonly documentId: string;
  readonly shipmentIds: readonly string[];
  /** The time of the event, not of its arrival. */
  readonly leftAt: Date;
}

const BOOKED = sqlStatesThat(({ booking }) => booking === 'booked');

/** Stores a note for bookings that have not ended; a second event of the same note adds its shipments. */
export async function keepNote(sql: Sql, note: ConsignmentNote, now: Date): Promise<void> {
  await sql.query(
    `insert into consignment_note (area, document_id, shipment_ids, left_at, created_at)
     values ($1, $2, $3::jsonb, $4, $5)
     on conflict (area, document_id) do update set shipment_ids =
       (select coalesce(jsonb_agg(distinct id), '[]') from
          jsonb_array_elements(consignment_note.shipment_ids || excluded.shipment_ids) as id)`,
    [note.area, note.documentId, asJsonb(note.shipmentIds), note.leftAt, now],
  );
}

/** A note with the time of its arrival. */
export type KeptNote = ConsignmentNote & { readonly heardAt: Date };

/** @returns `null`: the task is from before notes were stored */
export async function findNote(sql: Sql, area: string, documentId: string): Promise<KeptNote | null> {
  const [row] = await sql.query<{ shipment_ids: readonly string[]; left_at: Date; created_at: Date }>(
    'select shipment_ids, left_at, created_at from consignment_note where area = $1 and document_id = $2',
    [area, documentId],
  );
  if (!row) return null;
  return { area, documentId, shipmentIds: row.shipment_ids, leftAt: row.left_at, heardAt: row.created_at };
}

/** Finds the known consignment notes among these documents. */
export async function knownNotes(sql: Sql, area: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql.query<{ document_id: string }>(
    'select document_id from consignment_note where area = $1 and document_id = any($2::text[])',
    [area, [...ids]],
  );
  return new Set(rows.map((row) => row.document_id));
}

/** Whether a consignment that was booked since then has no consignment note. */
export async function waitsForNote(sql: Sql, area: string, since: Date): Promise<boolean> {
  const rows = await sql.query(
    `select id from consignment
      where area = $1 and created_at >= $2 and handed_over_at is null and state in ${BOOKED} limit 1`,
    [area, since],
  );
  return rows.length > 0;
}

/**
 * The time at which a booking was begun, or its latest run. `run_started_at` alone does not tell it: that is set again when
 * the run gets a waiting time of its own, and lies ahead while the run waits for a new day.
 */
const BEGUN_AT = 'case when run = 1 then created_at else least(run_started_at, updated_at) end';

/**
 * Marks the booked consignments of these shipments as handed over, by the newest note that names them.
 * @param begunBy leaves out bookings that were begun later
 */
export async function markHandedOver(
  sql: Sql,
  { area, documentId, shipmentIds, leftAt }: Omit<ConsignmentNote, 'documentId'> & { documentId: string | null },
  begunBy: Date,
): Promise<void> {
  await sql.query(
    `update consignment set handed_over_at = $3, handed_over_by = $4
      where area = $1 and shipment_id = any($2::text[]) and state in ${BOOKED} and ${BEGUN_AT} <= $6
        and (handed_over_at is null or (handed_over_by is distinct from $4 and handed_over_at <= $5))`,
    [area, [...shipmentIds], leftAt, documentId, new Date(leftAt.getTime() + EVENT_TIME_TOLERANCE_MS), begunBy],
  );
}

/** Marks consignments that were booked after their note had come, unless another note has them. */
export async function markLate(
  sql: Sql,
  { area, documentId, shipmentIds, leftAt }: ConsignmentNote,
  begunBy: Date,
): Promise<void> {
  await sql.query(
    `update consignment set handed_over_at = $3, handed_over_by = $4
      where area = $1 and shipment_id = any($2::text[]) and state in ${BOOKED} and ${BEGUN_AT} <= $5
        and handed_over_at is null`,
    [area, [...shipmentIds], leftAt, documentId, begunBy],
  );
}

/** A booking of a shipment that a note names. */
export interface NamedRow {
  readonly consignment: Consignment;
  readonly begunAt: Date;
  /** Its consignment note; `null`: none. */
  readonly handedOverBy: string | null;
}

/** Every consignment of the shipments that a note names, in any state. */
export async function consignmentsOfNote(
  sql: Sql,
  { area, shipmentIds }: ConsignmentNote,
): Promise<readonly NamedRow[]> {
  const rows = await sql.query<ConsignmentRow & { readonly begun_at: Date }>(
    `select *, ${BEGUN_AT} as begun_at from consignment
      where area = $1 and shipment_id = any($2::text[]) order by created_at, id`,
    [area, [...shipmentIds]],
  );
  return rows.map((row) => ({
    ...{ consignment: toConsignment(row), begunAt: row.begun_at },
    handedOverBy: row.handed_over_by,
  }));
}

/** The note of each of these consignments that has one. */
export async function notesOfConsignments(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<{ id: string; handed_over_by: string }>(
    'select id, handed_over_by from consignment where id = any($1::text[]) and handed_over_by is not null',
    [[...ids]],
  );
  return new Map(rows.map((row) => [row.id, row.handed_over_by]));
}
