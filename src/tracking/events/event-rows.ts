import { createHash } from 'node:crypto';
import type { TrackingEvent, TrackingStatus } from '../../../carriers/contract/tracking.js';
import { plainEvent } from '../../accounts/plain-account.js';
import type { Sql } from '../../db/database.js';
import { asJsonb } from '../../db/json.js';
import type { FoldedEvent } from '../fold.js';

/** A parcel as its carrier knows it. */
export interface ParcelKey {
  readonly account: string;
  readonly trackingNumber: string;
}

export function parcelKey({ account, trackingNumber }: ParcelKey): string {
  return JSON.stringify([account, trackingNumber]);
}

export interface AccountEvent {
  readonly account: string;
  readonly event: TrackingEvent;
}

/** A newly stored event. */
export interface NewTrackingEvent extends ParcelKey {
  readonly status: TrackingStatus;
  readonly code: string | null;
}

/**
 * The same key for the same event, however often and in whatever form it is reported; each of its statuses is stored
 * once.
 */
export function dedupeKey({ id, code, text, place, at }: TrackingEvent): string {
  if (id !== null) return `id:${id}`;
  const said = JSON.stringify([code ?? text, momentOf(at).getTime(), place]);
  return createHash('sha256').update(said).digest('base64url');
}

/** Later years have more digits, which the database does not read. */
const LAST_MOMENT_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** An unreadable time sorts before all others. */
export function momentOf(at: string): Date {
  const ms = Date.parse(at);
  return new Date(Number.isNaN(ms) || ms < 0 ? 0 : Math.min(ms, LAST_MOMENT_MS));
}

/**
 * Stores events, once for each status. Where reports differ, missing values are filled in and the greater value wins,
 * so that the rows do not depend on order or repetition.
 * @returns the events that are new, or say more than before
 */
export async function keepEvents(
  sql: Sql,
  events: readonly AccountEvent[],
  now: Date,
): Promise<readonly NewTrackingEvent[]> {
  if (events.length === 0) return [];
  const kept = await sql.query<NewEventRow>(
    `insert into tracking_event as e (account, tracking_number, dedupe, status, code, text, place, at, moment, zone,
                                      estimated_delivery, tracking_url, received_at)
     select account, tracking_number, dedupe, status, max(code), max(text), max(place),
            (array_agg(at order by moment desc, at desc))[1], max(moment), max(zone), max(estimated_delivery),
            max(tracking_url), $2
       from jsonb_to_recordset($1::jsonb) as given (account text, tracking_number text, dedupe text, status text,
            code text, text text, place text, at text, moment timestamptz, zone text, estimated_delivery text,
            tracking_url text, place_in_call int)
      group by account, tracking_number, dedupe, status
      order by min(place_in_call)
     on conflict (account, tracking_number, dedupe, status) do update set
        code = greatest(e.code, excluded.code), text = greatest(e.text, excluded.text),
        place = greatest(e.place, excluded.place), zone = greatest(e.zone, excluded.zone),
        at = case when (excluded.moment, excluded.at) > (e.moment, e.at) then excluded.at else e.at end,
        moment = greatest(e.moment, excluded.moment),
        estimated_delivery = greatest(e.estimated_delivery, excluded.estimated_delivery),
        tracking_url = greatest(e.tracking_url, excluded.tracking_url)
      where (excluded.moment, excluded.at) > (e.moment, e.at)
         or (e.code, e.text, e.place, e.zone, e.estimated_delivery, e.tracking_url) is distinct from
            (greatest(e.code, excluded.code), greatest(e.text, excluded.text), greatest(e.place, excluded.place),
             greatest(e.zone, excluded.zone), greatest(e.estimated_delivery, excluded.estimated_delivery),
             greatest(e.tracking_url, excluded.tracking_url))
     returning account, tracking_number, status, code`,
    [asJsonb(events.map(({ account, event }, n) => ({ ...toRow(account, event), place_in_call: n }))), now],
  );
  return kept.map((row) => ({
    account: row.account,
    trackingNumber: row.tracking_number,
    status: row.status,
    code: row.code,
  }));
}

interface NewEventRow {
  readonly account: string;
  readonly tracking_number: string;
  readonly status: TrackingStatus;
  readonly code: string | null;
}

function toRow(account: string, told: TrackingEvent) {
  const event = plainEvent(told);
  return {
    account,
    tracking_number: event.trackingNumber,
    dedupe: dedupeKey(event),
    status: event.status,
    code: event.code,
    text: event.text,
    place: event.place,
    at: event.at,
    moment: momentOf(event.at).toISOString(),
    zone: event.zone,
    estimated_delivery: event.estimatedDelivery,
    tracking_url: event.trackingUrl ?? null,
  };
}

interface EventRow {
  readonly parcel_id: string | number;
  readonly dedupe: string;
  readonly status: TrackingStatus;
  readonly moment: Date;
  readonly place: string | null;
  readonly estimated_delivery: string | null;
  readonly tracking_url: string | null;
}

/**
 * The events of some parcels since their bookings, by parcel id. `offset 0` makes the planner use the index even
 * without statistics.
 */
export async function eventsOf(
  sql: Sql,
  parcelIds: readonly string[],
): Promise<ReadonlyMap<string, readonly FoldedEvent[]>> {
  const rows = await sql.query<EventRow>(
    `select p.id as parcel_id, e.dedupe, e.status, e.moment, e.place, e.estimated_delivery, e.tracking_url
       from tracked_parcel p
      cross join lateral (select * from tracking_event e
                           where e.account = p.account and e.tracking_number = p.tracking_number
                             and e.moment >= p.events_from offset 0) e
      where p.id = any($1::bigint[])`,
    [[...parcelIds]],
  );
  const found = new Map<string, FoldedEvent[]>();
  for (const row of rows) {
    const event = {
      dedupe: row.dedupe,
      status: row.status,
      moment: row.moment,
      place: row.place,
      estimatedDelivery: row.estimated_delivery,
      trackingUrl: row.tracking_url,
    };
    const id = String(row.parcel_id);
    const others = found.get(id);
    if (others) others.push(event);
    else found.set(id, [event]);
  }
  return found;
}

/** The newest event of a status that has a text, else the newest one. */
export async function lastSaid(
  sql: Sql,
  { account, trackingNumber, eventsFrom = new Date(0) }: ParcelKey & { readonly eventsFrom?: Date },
  status: TrackingStatus,
): Promise<{
  readonly code: string | null;
  readonly text: string | null;
  readonly place: string | null;
  readonly at: string;
} | null> {
  const rows = await sql.query<{ code: string | null; text: string | null; place: string | null; at: string }>(
    `select code, text, place, at from tracking_event
      where account = $1 and tracking_number = $2 and status = $3 and moment >= $4
      order by coalesce(text, '') = '', moment desc, dedupe desc limit 1`,
    [account, trackingNumber, status, eventsFrom],
  );
  return rows[0] ?? null;
}

/** Deletes events whose parcel was never registered. @returns how many */
export async function dropUnclaimedEvents(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from tracking_event where id in (
       select e.id from tracking_event e
        where e.received_at < $1
          and not exists (select from tracked_parcel p
                           where p.account = e.account and p.tracking_number = e.tracking_number)
        order by e.received_at limit $2)
     returning id`,
    [before, limit],
  );
  return rows.length;
}
