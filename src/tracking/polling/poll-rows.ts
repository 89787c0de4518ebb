import type { Sql } from '../../db/database.js';
import type { ParcelKey } from '../events/tracking-event-rows.js';

/** A parcel that is due to be polled. */
export interface Poll {
  readonly id: string;
  readonly trackingNumber: string;
  /** The carrier's number of its booking; `null`: it has none, or the booking is not kept any more. */
  readonly carrierNumber: string | null;
  readonly pollsFailed: number;
  readonly registeredAt: Date;
  readonly area: string;
  readonly shipmentId: string | null;
  /** The carrier that has it; `undefined`: its consignment is not kept any more. */
  readonly carrierId: string | undefined;
  /** The seller of its consignment; `undefined`: unknown. */
  readonly sellerId: string | null | undefined;
  /** It has ended, and a callback without details has come since. */
  readonly ended: boolean;
}

interface PollRow {
  readonly id: string | number;
  readonly tracking_number: string;
  readonly asks_failed: number;
  readonly registered_at: Date;
  readonly area: string;
  readonly shipment_id: string | null;
  readonly plan: { readonly carrierId: string; readonly seller?: string | null } | null;
  readonly carrier_number: string | null;
  readonly ended: boolean;
}

export async function isPollDue(sql: Sql, account: string, now: Date): Promise<boolean> {
  const rows = await sql.query('select 1 from tracked_parcel where account = $1 and next_ask_at <= $2 limit 1', [
    account,
    now,
  ]);
  return rows.length > 0;
}

/**
 * Claims the longest due parcels of an account by moving their due time ahead: after a crash they are polled again
 * then.
 */
export async function takeDuePolls(
  sql: Sql,
  account: string,
  { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number },
): Promise<readonly Poll[]> {
  const rows = await sql.query<PollRow>(
    `update tracked_parcel set next_ask_at = $3
      where id in (select id from tracked_parcel where account = $1 and next_ask_at <= $2
                    order by next_ask_at limit $4 for update skip locked)
     returning id, tracking_number, asks_failed, registered_at, area, shipment_id, ended_at is not null as ended,
               (select c.plan->'plan' from consignment c where c.id = tracked_parcel.consignment_id) as plan,
               (select part->'booking'->>'carrierNumber'
                  from consignment c, jsonb_array_elements(c.parts) as part
                 where c.id = tracked_parcel.consignment_id
                   and part->'booking'->'parcels' @>
                       jsonb_build_array(jsonb_build_object('trackingNumber', tracked_parcel.tracking_number))
                 limit 1) as carrier_number`,
    [account, now, until, limit],
  );
  return rows.map((row) => ({
    id: String(row.id),
    trackingNumber: row.tracking_number,
    carrierNumber: row.carrier_number,
    pollsFailed: row.asks_failed,
    registeredAt: row.registered_at,
    area: row.area,
    shipmentId: row.shipment_id,
    carrierId: row.plan?.carrierId,
    sellerId: row.plan?.seller,
    ended: row.ended,
  }));
}

export interface NextPoll {
  readonly id: string;
  /** `null`: no more polls. */
  readonly at: Date | null;
  readonly pollsFailed: number;
}

/**
 * Sets the next poll; a parcel that ended meanwhile gets none, and a poll that a callback has asked for since stays.
 * @param until the due time set by the claim
 */
export async function schedulePolls(sql: Sql, polls: readonly NextPoll[], until: Date): Promise<void> {
  if (polls.length === 0) return;
  await sql.query(
    `update tracked_parcel p set next_ask_at = g.at, asks_failed = g.failed
       from unnest($1::bigint[], $2::timestamptz[], $3::int[]) as g (id, at, failed)
      where p.id = g.id and p.next_ask_at = $4`,
    [polls.map((poll) => poll.id), polls.map((poll) => poll.at), polls.map((poll) => poll.pollsFailed), until],
  );
}

/**
 * Makes parcels due at once after a callback without details, also ended ones. Unregistered numbers are kept until they
 * are registered; under the lock of registration.
 */
export async function pollNow(sql: Sql, keys: readonly ParcelKey[], now: Date): Promise<void> {
  if (keys.length === 0) return;
  await sql.query(
    `with given as (select distinct * from unnest($1::text[], $2::text[]) as g (account, tracking_number)),
          found as (update tracked_parcel p set next_ask_at = least(p.next_ask_at, $3) from given g
                     where p.account = g.account and p.tracking_number = g.tracking_number
                       and p.replaced_at is null
                    returning p.account, p.tracking_number)
     insert into ask_wanted (account, tracking_number, wanted_at)
     select account, tracking_number, $3 from (table given except table found) as missing
     on conflict (account, tracking_number) do nothing`,
    [keys.map((key) => key.account), keys.map((key) => key.trackingNumber), now],
  );
}

/** Makes parcels due for which a callback came before they were registered. @returns which */
export async function pollWanted(sql: Sql, keys: readonly ParcelKey[], now: Date): Promise<readonly ParcelKey[]> {
  if (keys.length === 0) return [];
  const rows = await sql.query<{ account: string; tracking_number: string }>(
    `with wanted as (delete from ask_wanted w using unnest($1::text[], $2::text[]) as g (account, tracking_number)
                      where w.account = g.account and w.tracking_number = g.tracking_number
                     returning w.account, w.tracking_number)
     update tracked_parcel p set next_ask_at = least(p.next_ask_at, $3) from wanted w
      where p.account = w.account and p.tracking_number = w.tracking_number and p.replaced_at is null
     returning p.account, p.tracking_number`,
    [keys.map((key) => key.account), keys.map((key) => key.trackingNumber), now],
  );
  return rows.map((row) => ({ account: row.account, trackingNumber: row.tracking_number }));
}

/** Deletes such requests for numbers that were never registered. @returns how many */
export async function dropOldWanted(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from ask_wanted where (account, tracking_number) in (
       select account, tracking_number from ask_wanted where wanted_at < $1 order by wanted_at limit $2)
     returning account`,
    [before, limit],
  );
  return rows.length;
}

/** Counts one call of the day. @returns whether the limit allows it */
export async function countCall(
  sql: Sql,
  account: string,
  { now, allowed }: { readonly now: Date; readonly allowed: number },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into ask_day (account, day, calls) values ($1, $2, 1)
     on conflict (account) do update
        set day = excluded.day, calls = case when ask_day.day = excluded.day then ask_day.calls + 1 else 1 end
      where ask_day.day <> excluded.day or ask_day.calls < $3
     returning calls`,
    [account, now.toISOString().slice(0, '2026-03-04'.length), allowed],
  );
  return rows.length > 0;
}

/** Notes that the carrier of an account has answered a poll. */
export async function notePolled(sql: Sql, account: string, now: Date): Promise<void> {
  await sql.query(
    `insert into account_polled as p (account, polled_at) values ($1, $2)
     on conflict (account) do update set polled_at = greatest(p.polled_at, excluded.polled_at)`,
    [account, now],
  );
}

/** Begins polling the open parcels of an account whose settings or adapter changed. */
export async function beginPolling(
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
