import type { Sql } from '../db/database.js';
import { asJsonb } from '../db/json.js';
import type { Consignment } from '../consignment/consignment.js';
import { END_STATES } from '../consignment/states.js';
import { type ConsignmentRow, toConsignment } from '../consignment/ledger/row.js';

/** What our records know about a document of the IMS. */
export type KnownDocument =
  | { readonly kind: 'consignment'; readonly consignment: Consignment; readonly updatedAt: Date }
  /** A task is still finding out its type. */
  | { readonly kind: 'task' }
  /** Its consignment ended long ago and was deleted. */
  | { readonly kind: 'past' };

/** The next search of an area. `latest`: one that stands for a later time was set by a clock that was ahead, and is due. */
export interface SearchTimes {
  readonly now: Date;
  readonly latest: Date;
}

/** Areas that are not due yet. */
export async function areasThatWait(sql: Sql, { now, latest }: SearchTimes): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ area: string }>(
    'select area from missed_event_sweep where next_at > $1 and next_at <= $2',
    [now, latest],
  );
  return new Set(rows.map((row) => row.area));
}

/**
 * Claims the search of an area, in one statement, so that one instance gets it. If that instance dies, the next search
 * comes at its time.
 */
export async function claimSweep(
  sql: Sql,
  { area, nextAt, now, latest }: SearchTimes & { readonly area: string; readonly nextAt: Date },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into missed_event_sweep (area, next_at) values ($1, $3)
     on conflict (area) do update set next_at = $3
      where missed_event_sweep.next_at <= $2 or missed_event_sweep.next_at > $4 returning area`,
    [area, now, nextAt, latest],
  );
  return rows.length > 0;
}

/** The values that the last search left for this one. */
export async function loadSeen(sql: Sql, area: string): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ seen: readonly string[] }>('select seen from missed_event_sweep where area = $1', [
    area,
  ]);
  return new Set(rows[0]?.seen ?? []);
}

/** @param now the time for an area that was never searched */
export async function keepSeen(
  sql: Sql,
  { area, seen, recovered, now }: { area: string; seen: readonly string[]; recovered: number; now: Date },
): Promise<void> {
  await sql.query(
    `insert into missed_event_sweep (area, next_at, seen, recovered) values ($1, $4, $2::jsonb, $3)
     on conflict (area) do update set seen = $2::jsonb, recovered = missed_event_sweep.recovered + $3`,
    [area, asJsonb(seen), recovered, now],
  );
}

export async function knownDocuments(
  sql: Sql,
  area: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KnownDocument>> {
  if (ids.length === 0) return new Map();
  const tasks = await sql.query<{ document_id: string }>(
    `select document_id from task where area = $1 and document_id = any($2::text[]) and state = 'open'`,
    [area, [...ids]],
  );
  const rows = await sql.query<ConsignmentRow>(
    'select * from consignment where area = $1 and document_id = any($2::text[])',
    [area, [...ids]],
  );
  const past = await sql.query<{ document_id: string }>(
    'select document_id from past_booking where area = $1 and document_id = any($2::text[])',
    [area, [...ids]],
  );
  return new Map<string, KnownDocument>([
    ...past.map((row) => [row.document_id, { kind: 'past' }] as const),
    ...tasks.map((row) => [row.document_id, { kind: 'task' }] as const),
    ...rows.map((row) => [row.document_id ?? '', known(row)] as const),
  ]);
}

function known(row: ConsignmentRow): KnownDocument {
  return { kind: 'consignment', consignment: toConsignment(row), updatedAt: row.updated_at };
}

/** Ids of known events that asked for something. */
export async function knownEvents(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql.query<{ event_id: string }>(
    `select event_id from event where event_id = any($1::text[]) and outcome = 'accepted'`,
    [[...ids]],
  );
  return new Set(rows.map((row) => row.event_id));
}

/** Shipments for which a task has chosen, or tried to choose, a carrier. */
export async function shipmentsChosenFor(sql: Sql, area: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql.query<{ shipment_id: string }>(
    `select shipment_id from task where area = $1 and shipment_id = any($2::text[]) and kind = 'choose-carrier'`,
    [area, [...ids]],
  );
  return new Set(rows.map((row) => row.shipment_id));
}

/** Whether the consignment is at rest: only a person continues it. */
export function isAtRest({ dueAt, state, needsOperator }: Consignment): boolean {
  return dueAt === null && (END_STATES.includes(state) || needsOperator);
}
