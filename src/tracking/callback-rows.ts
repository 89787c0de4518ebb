import type { TrackingEvent } from '../../carriers/contract/tracking.js';
import type { Sql } from '../db/database.js';
import { asJsonb } from '../db/json.js';

/** What the adapter read in a callback. */
export interface ReadCallback {
  readonly events: readonly TrackingEvent[];
  readonly ask: readonly string[];
}

export interface NewCallback {
  readonly account: string;
  readonly hash: string;
  readonly body: Uint8Array;
  /** `null`: authentic, and nothing for us. */
  readonly outcome: ReadCallback | null;
  readonly note: string | null;
  readonly receivedAt: Date;
}

/** Keeps callbacks, each body of an account once; all of them or, when it throws, none. */
export async function insertCallbacks(sql: Sql, callbacks: readonly NewCallback[]): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ account: string; hash: string }>(
    `insert into callback (account, hash, body, outcome, state, note, received_at)
     select account, hash, decode(body, 'base64'), outcome::jsonb,
            case when outcome is null then 'ignored' else 'stored' end, note, received_at
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
            as given (account, hash, body, outcome, note, received_at)
     on conflict (account, hash) do nothing
     returning account, hash`,
    [
      callbacks.map((callback) => callback.account),
      callbacks.map((callback) => callback.hash),
      callbacks.map((callback) => Buffer.from(callback.body).toString('base64')),
      callbacks.map((callback) => (callback.outcome === null ? null : asJsonb(callback.outcome))),
      callbacks.map((callback) => callback.note),
      callbacks.map((callback) => callback.receivedAt),
    ],
  );
  return new Set(rows.map((row) => callbackKey(row)));
}

export function callbackKey({ account, hash }: { readonly account: string; readonly hash: string }): string {
  return `${account}\n${hash}`;
}

export interface StoredCallback {
  readonly id: string;
  readonly account: string;
  readonly outcome: ReadCallback;
}

/** Those that wait longest. */
export async function storedCallbacks(sql: Sql, limit: number): Promise<readonly StoredCallback[]> {
  const rows = await sql.query<{ id: string | number; account: string; outcome: ReadCallback }>(
    "select id, account, outcome from callback where state = 'stored' order by id limit $1",
    [limit],
  );
  return rows.map(({ id, account, outcome }) => ({ id: String(id), account, outcome }));
}

/** Their events are kept as such from now on. */
export async function markApplied(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.query("update callback set state = 'applied', outcome = null where id = any($1::bigint[])", [[...ids]]);
}

/** Forgets bodies that were kept long enough. @returns how many */
export async function dropOldCallbacks(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from callback where id in (
       select id from callback where state <> 'stored' and received_at < $1 order by received_at limit $2)
     returning id`,
    [before, limit],
  );
  return rows.length;
}
