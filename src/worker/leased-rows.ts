import type { Sql } from '../db/database.js';
import { named } from '../db/named.js';
import type { Lease } from './lease.js';

/** The tables whose rows are leased: every table with the columns `lease_owner` and `lease_until`. */
export const LEASED_TABLES = ['consignment', 'task', 'tracking_outbox', 'webhook_delivery', 'alert'] as const;
export type LeasedTable = (typeof LEASED_TABLES)[number];

/** The limit of rows that one search compares; later searches find the rest. */
export const MAX_COMPARED = 10_000;

/** SQL assignments that claim a row, with the values of `claimValues`. The condition beside it contains `isUnleased`. */
export const CLAIMED = 'lease_owner = $2, lease_until = $3';

/** SQL assignments that release a row. The condition beside it names the owner: another one may hold the row by now. */
export const RELEASED = 'lease_owner = null, lease_until = null';

/** `$1` to `$4` of a statement that claims: what identifies the row, the owner, the end of the lease, now. */
export function claimValues(key: string, { owner, until, now }: Lease): readonly unknown[] {
  return [key, owner, until, now];
}

/**
 * SQL condition: no lease, or one that has ended; at its last moment a lease has ended. In a subselect, of its row.
 * @param now as a parameter
 */
export function isUnleased(now: string): string {
  return `(lease_until is null or lease_until <= ${now})`;
}

/** The end of an attempt. `dueAt`: the time of the next one; `null`: the work has ended. */
export interface AttemptEnd<Failed extends string = 'given-up'> {
  readonly state: 'open' | 'done' | Failed;
  readonly note: string | null;
  readonly dueAt: Date | null;
}

/** A row and the owner of its lease. */
interface OwnedRow {
  readonly id: string;
  readonly owner: string;
}

interface AttemptedRow extends OwnedRow {
  readonly table: Exclude<LeasedTable, 'consignment'>;
  /** SQL, a further assignment with a comma before it. */
  readonly also?: string;
  /** The values that `also` names. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Work that has ended keeps the time of its last attempt: the column takes no null. */
const ALWAYS_DUE: readonly LeasedTable[] = ['alert', 'webhook_delivery'];

/** Ends an attempt and its lease; changes nothing when `owner` does not hold the lease. @returns whether it was ended */
export async function saveAttemptEnd(
  sql: Sql,
  { table, id, owner, also = '', values = {} }: AttemptedRow,
  { state, note, dueAt }: AttemptEnd<string>,
): Promise<boolean> {
  const due = ALWAYS_DUE.includes(table) ? 'coalesce(:dueAt, due_at)' : ':dueAt';
  const rows = await sql.query(
    ...named(
      `update ${table} set state = :state, note = :note, due_at = ${due}, tries = tries + 1, ${RELEASED} ${also}
        where id = :id and lease_owner = :owner returning id`,
      { state, note, dueAt, id, owner, ...values },
    ),
  );
  return rows.length > 0;
}

/**
 * SQL assignments that make ended work due again as if it were new: its attempts and its age count from now.
 * @param now as a parameter
 */
export function asNew(now: string): string {
  return `state = 'open', tries = 0, due_at = ${now}, created_at = ${now}`;
}

interface GivenUpRows {
  readonly table: 'task' | 'tracking_outbox' | 'webhook_delivery';
  readonly ids: readonly string[];
  /** The state of work of this table that was given up. */
  readonly state: 'given-up' | 'dead';
  /** SQL, a further assignment with a comma before it. */
  readonly also?: string;
}

/** Makes those of these rows due again that were given up; the sweepers find them. @returns how many */
export async function reviveRows(sql: Sql, { table, ids, state, also = '' }: GivenUpRows, now: Date): Promise<number> {
  const rows = await sql.query(
    `update ${table} set ${asNew('$1')} ${also} where id = any($2) and state = '${state}' returning id`,
    [now, [...ids]],
  );
  return rows.length;
}

/** Renews leases of their owner; an expired lease stays expired. @returns the ids that it still holds */
export async function renewRows(
  sql: Sql,
  table: 'consignment' | 'task',
  { lease, ids }: { readonly lease: Lease; readonly ids: readonly string[] },
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `update ${table} set lease_until = $2
      where lease_owner = $1 and lease_until > $3 and id = any($4::text[]) returning id`,
    [lease.owner, lease.until, lease.now, [...ids]],
  );
  return rows.map(({ id }) => id);
}

/** Releases a lease; changes nothing when `owner` does not hold it. */
export async function releaseRow(sql: Sql, table: LeasedTable, { id, owner }: OwnedRow): Promise<void> {
  await sql.query(`update ${table} set ${RELEASED} where id = $1 and lease_owner = $2`, [id, owner]);
}

/** Releases all leases of an instance. */
export async function releaseRowsOf(sql: Sql, table: LeasedTable, owner: string): Promise<void> {
  await sql.query(`update ${table} set ${RELEASED} where lease_owner = $1`, [owner]);
}

/** Releases the leases of all instances in all tables; for a process that has the database to itself. */
export async function dropAllLeases(sql: Sql): Promise<void> {
  await sql.script(
    LEASED_TABLES.map((table) => `update ${table} set ${RELEASED} where lease_owner is not null;`).join('\n'),
  );
}

/**
 * Due ids without a lease: one of each area after the other, and in each area the longest waiting first.
 * @param which SQL, a further condition
 */
export async function dueRows(
  sql: Sql,
  table: 'task' | 'tracking_outbox',
  { now, limit, which = 'true' }: { readonly now: Date; readonly limit: number; readonly which?: string },
): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string | number }>(
    `with due as (
       select id, due_at, area from ${table} where due_at <= $1 and ${isUnleased('$1')} and ${which}
        order by due_at limit $3
     ), placed as (select id, due_at, row_number() over (partition by area order by due_at) as place from due)
     select id from placed order by place, due_at limit $2`,
    [now, limit, MAX_COMPARED],
  );
  return rows.map((row) => String(row.id));
}
