import type { TrackingStatus } from '../../../carriers/contract/tracking.js';
import { holdUntilCommit } from '../../db/advisory-locks.js';
import type { Sql } from '../../db/database.js';
import type { Lease } from '../../worker/lease.js';
import {
  type AttemptEnd,
  CLAIMED,
  RELEASED,
  claimValues,
  dueRows,
  isUnleased,
  releaseRow,
  releaseRowsOf,
  reviveRows,
  saveAttemptEnd,
} from '../../worker/leased-rows.js';

/**
 * `message`: to the worker, about this status. `tracking-url`: onto the container. `kept-status`: into the shipment's
 * `dataDocument`, where one write takes all that are open with it.
 */
export type OutboxKind = 'message' | 'tracking-url' | 'kept-status';

/** One update to the IMS about a parcel. */
export interface OutboxEntry {
  readonly id: string;
  readonly parcelId: string;
  readonly kind: OutboxKind;
  readonly status: TrackingStatus;
  readonly area: string;
  readonly shipmentId: string | null;
  readonly attempts: number;
  readonly createdAt: Date;
}

export interface NewOutboxEntry {
  readonly parcelId: string;
  readonly kind: OutboxKind;
  readonly status: TrackingStatus;
  readonly area: string;
  readonly shipmentId: string | null;
  readonly dueAt: Date;
}

interface OutboxRow {
  readonly id: string | number;
  readonly parcel_id: string | number;
  readonly kind: OutboxKind;
  readonly status: TrackingStatus;
  readonly area: string;
  readonly shipment_id: string | null;
  readonly tries: number;
  readonly created_at: Date;
}

/** Adds entries. Existing messages and addresses stay as they are, done or not; a status to keep becomes due again. */
export async function addToOutbox(sql: Sql, outboxEntries: readonly NewOutboxEntry[], now: Date): Promise<void> {
  if (outboxEntries.length === 0) return;
  await sql.query(
    `insert into tracking_outbox (parcel_id, kind, status, area, shipment_id, due_at, created_at)
     select *, $7::timestamptz
       from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
     on conflict (parcel_id, kind, status) do update
        set generation = tracking_outbox.generation + 1, state = 'open', tries = 0,
            due_at = coalesce(tracking_outbox.due_at, excluded.due_at), created_at = excluded.created_at
      where tracking_outbox.kind = 'kept-status'`,
    [
      outboxEntries.map((entry) => entry.parcelId),
      outboxEntries.map((entry) => entry.kind),
      outboxEntries.map((entry) => entry.status),
      outboxEntries.map((entry) => entry.area),
      outboxEntries.map((entry) => entry.shipmentId),
      outboxEntries.map((entry) => entry.dueAt),
      now,
    ],
  );
}

/** Due ids without a lease: each area gets its turn, and in each the longest waiting comes first. */
export async function dueOutboxEntries(sql: Sql, now: Date, limit: number): Promise<readonly string[]> {
  return dueRows(sql, 'tracking_outbox', { now, limit });
}

/**
 * Claims a due entry without a lease, unless another one for the same document is leased; inside a transaction, so that
 * two writes of one shipment's `dataDocument` never run at once.
 */
export async function claimOutboxEntry(sql: Sql, id: string, lease: Lease): Promise<OutboxEntry | null> {
  await holdUntilCommit(sql, 'statusDocuments');
  const rows = await sql.query<OutboxRow>(
    `update tracking_outbox n set ${CLAIMED}
      where id = $1 and due_at <= $4 and ${isUnleased('$4')}
        and not (n.kind = 'kept-status' and exists (
              select from tracking_outbox o
               where o.kind = 'kept-status' and o.state = 'open' and o.area = n.area
                 and o.shipment_id = n.shipment_id and o.id <> n.id and not ${isUnleased('$4')}))
     returning *`,
    claimValues(id, lease),
  );
  const [row] = rows;
  if (!row) return null;
  return {
    id: String(row.id),
    parcelId: String(row.parcel_id),
    kind: row.kind,
    status: row.status,
    area: row.area,
    shipmentId: row.shipment_id,
    attempts: row.tries,
    createdAt: row.created_at,
  };
}

/** Changes nothing when `owner` does not hold the lease. */
export async function saveOutboxEntry(
  sql: Sql,
  { id, owner }: { readonly id: string; readonly owner: string },
  end: AttemptEnd,
): Promise<void> {
  await saveAttemptEnd(sql, { table: 'tracking_outbox', id, owner }, end);
}

/** The entries that one write of a document covers; parcels are read after the entries. */
export interface Covered {
  readonly ids: readonly string[];
  readonly generations: readonly number[];
}

export async function openKeptStatuses(sql: Sql, area: string, shipmentId: string): Promise<Covered> {
  const rows = await sql.query<{ id: string | number; generation: number }>(
    `select id, generation from tracking_outbox
      where kind = 'kept-status' and state = 'open' and area = $1 and shipment_id = $2`,
    [area, shipmentId],
  );
  return { ids: rows.map((row) => String(row.id)), generations: rows.map((row) => row.generation) };
}

/** Ends all entries that one write covered; entries that changed since stay open. */
export async function endKeptStatuses(sql: Sql, { ids, generations }: Covered): Promise<void> {
  await sql.query(
    `update tracking_outbox n set state = 'done', note = null, due_at = null, ${RELEASED}
       from unnest($1::bigint[], $2::int[]) as covered (id, generation)
      where n.id = covered.id and n.generation = covered.generation`,
    [ids, generations],
  );
}

/** Releases an entry that is due again at once. */
export async function releaseOutboxEntry(sql: Sql, id: string, owner: string): Promise<void> {
  await releaseRow(sql, 'tracking_outbox', { id, owner });
}

/** Releases the leases of a stopping instance. */
export async function giveBackOutboxEntries(sql: Sql, owner: string): Promise<void> {
  await releaseRowsOf(sql, 'tracking_outbox', owner);
}

/** Makes entries due again that were given up. @returns how many */
export async function reviveOutboxEntries(sql: Sql, ids: readonly string[], now: Date): Promise<number> {
  return reviveRows(sql, { table: 'tracking_outbox', ids, state: 'given-up' }, now);
}
