import type { TrackingEvent } from '../../../carriers/contract/tracking.js';
import type { Sql } from '../../db/database.js';
import { asJsonb } from '../../db/json.js';
import { Personal, type Seal } from '../../db/sealing/personal.js';

export interface ReadCallback {
  readonly events: readonly TrackingEvent[];
  readonly poll: readonly string[];
}

/** As it stands in the database, where `poll` keeps its former name. */
interface StoredOutcome {
  readonly events: readonly TrackingEvent[];
  readonly ask: readonly string[];
}

export interface NewCallback {
  readonly account: string;
  readonly hash: string;
  readonly body: Uint8Array;
  /** `null`: authentic, but without events for us. */
  readonly outcome: ReadCallback | null;
  readonly note: string | null;
  readonly receivedAt: Date;
}

/** SQL: the new row `excluded` has parcels to poll. */
const POLLS = `excluded.outcome->'ask' <> '[]'`;

/**
 * Stores callbacks, each body of an account once; all of them or, when it throws, none.
 * @returns the keys of those that are new. One that was ignored is new once an adapter reads events in it; one that has
 * parcels polled is new once it was applied, since something may have happened to them again.
 */
export async function insertCallbacks(sql: Sql, given: readonly NewCallback[]): Promise<ReadonlySet<string>> {
  // One statement cannot change a row twice.
  const callbacks = [...new Map(given.map((callback) => [callbackKey(callback), callback])).values()];
  // In the same order everywhere: two instances that store the same callbacks at once wait for each other's rows.
  const rows = await sql.query<{ account: string; hash: string }>(
    `insert into callback (account, hash, body, outcome, state, note, received_at, tracking_numbers)
     select account, hash, decode(body, 'base64'), outcome::jsonb,
            case when outcome is null then 'ignored' else 'stored' end, note, received_at,
            array(select distinct event->>'trackingNumber' from jsonb_array_elements(outcome::jsonb->'events') event)
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
            as given (account, hash, body, outcome, note, received_at)
      order by account, hash
     on conflict (account, hash) do update
       set outcome = excluded.outcome, state = excluded.state, note = null, received_at = excluded.received_at,
           tracking_numbers = excluded.tracking_numbers
       where excluded.state = 'stored' and (callback.state = 'ignored' or (callback.state = 'applied' and ${POLLS}))
     returning account, hash`,
    [
      callbacks.map((callback) => callback.account),
      callbacks.map((callback) => callback.hash),
      new Personal((seal) => callbacks.map(({ body }) => Buffer.from(seal.bytes(body)).toString('base64'))),
      new Personal((seal) => callbacks.map(({ outcome }) => (outcome === null ? null : sealedOutcome(outcome, seal)))),
      callbacks.map((callback) => callback.note),
      callbacks.map((callback) => callback.receivedAt),
    ],
  );
  return new Set(rows.map((row) => callbackKey(row)));
}

function sealedOutcome({ events, poll: ask }: ReadCallback, seal: Seal): string {
  const sealed = events.map((event) => ({ ...event, text: seal.json(event.text), place: seal.json(event.place) }));
  return asJsonb({ events: sealed, ask });
}

export function callbackKey({ account, hash }: { readonly account: string; readonly hash: string }): string {
  return `${account}\n${hash}`;
}

export interface StoredCallback {
  readonly id: string;
  readonly account: string;
  readonly outcome: ReadCallback;
  readonly receivedAt: Date;
}

interface StoredRow {
  readonly id: string | number;
  readonly account: string;
  readonly outcome: StoredOutcome;
  readonly received_at: Date;
}

/** The longest waiting callbacks: at least one, and then up to this number of events. */
export async function storedCallbacks(
  sql: Sql,
  most: { readonly callbacks: number; readonly events: number },
): Promise<readonly StoredCallback[]> {
  const rows = await sql.query<StoredRow>(
    `with waiting as (select id, account, outcome, received_at from callback where state = 'stored' order by id limit $1),
          counted as (select *, row_number() over (order by id) as place,
                             sum(jsonb_array_length(outcome->'events')) over (order by id) as events from waiting)
     select id, account, outcome, received_at from counted where place = 1 or events <= $2 order by id`,
    [most.callbacks, most.events],
  );
  return rows.map(toStored);
}

/** One stored callback, unless it has been applied since. */
export async function storedCallback(sql: Sql, id: string): Promise<readonly StoredCallback[]> {
  const rows = await sql.query<StoredRow>(
    "select id, account, outcome, received_at from callback where id = $1 and state = 'stored'",
    [id],
  );
  return rows.map(toStored);
}

function toStored({ id, account, outcome, received_at: receivedAt }: StoredRow): StoredCallback {
  const { events, ask: poll } = outcome;
  return { id: String(id), account, outcome: { events, poll }, receivedAt };
}

/** Marks callbacks as applied: their events are rows now. */
export async function markApplied(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.query("update callback set state = 'applied', outcome = null where id = any($1::bigint[])", [[...ids]]);
}

/** Marks a callback as failed; its content stays for another attempt. */
export async function markFailed(sql: Sql, id: string, note: string): Promise<void> {
  await sql.query("update callback set state = 'failed', note = $2 where id = $1 and state = 'stored'", [id, note]);
}

/** Makes failed callbacks due again: a newer version may be able to apply them. */
export async function retryFailed(sql: Sql): Promise<void> {
  await sql.query("update callback set state = 'stored', note = null where state = 'failed'");
}

/** Retries some failed callbacks. @returns how many */
export async function retryFailedCallbacks(sql: Sql, ids: readonly string[]): Promise<number> {
  const rows = await sql.query(
    "update callback set state = 'stored', note = null where id = any($1::bigint[]) and state = 'failed' returning id",
    [[...ids]],
  );
  return rows.length;
}

/** Stores for each account when its carrier called last. */
export async function noteHeard(sql: Sql, callbacks: readonly StoredCallback[]): Promise<void> {
  await sql.query(
    `insert into callback_heard as h (account, heard_at)
     select account, max(at) from unnest($1::text[], $2::timestamptz[]) as given (account, at) group by account
     on conflict (account) do update set heard_at = greatest(h.heard_at, excluded.heard_at)`,
    [callbacks.map((callback) => callback.account), callbacks.map((callback) => callback.receivedAt)],
  );
}

/** Deletes old bodies. @returns how many */
export async function dropOldCallbacks(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from callback where id in (
       select id from callback where state <> 'stored' and received_at < $1 order by received_at limit $2)
     returning id`,
    [before, limit],
  );
  return rows.length;
}
