import type { Sql } from '../db/database.js';
import type { ParcelKey } from './event-rows.js';

/** A parcel whose carrier is to be asked. */
export interface Asking {
  readonly id: string;
  readonly trackingNumber: string;
  readonly asksFailed: number;
  readonly registeredAt: Date;
}

interface AskingRow {
  readonly id: string | number;
  readonly tracking_number: string;
  readonly asks_failed: number;
  readonly registered_at: Date;
}

/**
 * Takes the parcels of an account that have been due longest. Taking one moves its time ahead: who dies with the answer
 * leaves it to be asked again then.
 */
export async function takeDueAsks(
  sql: Sql,
  account: string,
  { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number },
): Promise<readonly Asking[]> {
  const rows = await sql.query<AskingRow>(
    `update tracked_parcel set next_ask_at = $3
      where id in (select id from tracked_parcel where account = $1 and next_ask_at <= $2
                    order by next_ask_at limit $4 for update skip locked)
     returning id, tracking_number, asks_failed, registered_at`,
    [account, now, until, limit],
  );
  return rows.map((row) => ({
    id: String(row.id),
    trackingNumber: row.tracking_number,
    asksFailed: row.asks_failed,
    registeredAt: row.registered_at,
  }));
}

export interface NextAsk {
  readonly id: string;
  /** `null`: not any more. */
  readonly at: Date | null;
  readonly asksFailed: number;
}

/** What has ended meanwhile stays ended. */
export async function scheduleAsks(sql: Sql, asks: readonly NextAsk[]): Promise<void> {
  if (asks.length === 0) return;
  await sql.query(
    `update tracked_parcel p set next_ask_at = g.at, asks_failed = g.failed
       from unnest($1::bigint[], $2::timestamptz[], $3::int[]) as g (id, at, failed)
      where p.id = g.id and p.ended_at is null`,
    [asks.map((ask) => ask.id), asks.map((ask) => ask.at), asks.map((ask) => ask.asksFailed)],
  );
}

/** The carrier has said that something happened to them, and not what. */
export async function askNow(sql: Sql, keys: readonly ParcelKey[], now: Date): Promise<void> {
  if (keys.length === 0) return;
  await sql.query(
    `update tracked_parcel set next_ask_at = least(next_ask_at, $3)
      where ended_at is null
        and (account, tracking_number) in (select * from unnest($1::text[], $2::text[]))`,
    [keys.map((key) => key.account), keys.map((key) => key.trackingNumber), now],
  );
}

/** Open parcels of an account that is asked from now on, because its settings or its carrier's adapter changed. */
export async function beginAsking(
  sql: Sql,
  account: string,
  spread: { readonly from: Date; readonly ms: number },
): Promise<void> {
  await sql.query(
    `update tracked_parcel set next_ask_at = $2::timestamptz + random() * $3 * interval '1 millisecond'
      where account = $1 and ended_at is null and next_ask_at is null`,
    [account, spread.from, spread.ms],
  );
}
