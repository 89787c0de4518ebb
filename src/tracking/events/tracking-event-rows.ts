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

/** The key of an event; equal in every report of it. Each of its statuses is stored once. */
function dedupeKey({ id, code, text, place, at }: TrackingEvent): string {
  if (id !== null) return `id:${id}`;
  const said = JSON.stringify([code ?? text, momentOf(at).getTime(), place]);
  return createHash('sha256').update(said).digest('base64url');
}

/** Later years have more digits, which the database does not read. */
const LAST_MOMENT_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** An unreadable time sorts before all others. */
function momentOf(at: string): Date {
  const ms = Date.parse(at);
  return new Date(Number.isNaN(ms) || ms < 0 ? 0 : Math.min(ms, LAST_MOMENT_MS));
}

/** Values that identify an event; each of its statuses is a row. */
const EVENT_KEY = ['account', 'tracking_number', 'dedupe', 'status'] as const;
/** Columns whose greatest value is kept of several reports, so that their order and number do not matter. */
const MERGED = ['code', 'text', 'place', 'zone', 'estimated_delivery', 'tracking_url'] as const;
/** The latest time is kept of several reports, with the text in which it was given. */
const TIME = ['moment', 'at'] as const;
const REPORTED = [...EVENT_KEY, ...MERGED, ...TIME] as const;
type Reported = (typeof REPORTED)[number];

const each = (columns: readonly Reported[], sql: (column: Reported) => string) => columns.map(sql).join(', ');
const list = (columns: readonly Reported[], of = '') => each(columns, (column) => `${of}${column}`);
const greatest = (column: Reported) => `greatest(e.${column}, excluded.${column})`;
const TYPED = each(REPORTED, (column) => `${column} ${column === 'moment' ? 'timestamptz' : 'text'}`);
const IS_LATER = `(${list(TIME, 'excluded.')}) > (${list(TIME, 'e.')})`;

/**
 * SQL: stores the reports in `$1` with `$2` as the time of their arrival. It first merges reports that have the same key,
 * then merges each with the row that is stored, and returns the rows that are new or changed. It inserts the oldest first,
 * because subscribers are told in the order of the rows.
 */
const KEEP_EVENTS = `
  insert into tracking_event as e (${list(REPORTED)}, received_at)
  select ${list(EVENT_KEY)}, ${each(MERGED, (column) => `max(${column})`)},
         max(moment), (array_agg(at order by ${each(TIME, (column) => `${column} desc`)}))[1], $2
    from jsonb_to_recordset($1::jsonb) as given (${TYPED}, place_in_call int)
   group by ${list(EVENT_KEY)}
   order by max(moment), min(place_in_call)
  on conflict (${list(EVENT_KEY)}) do update set
     ${each(MERGED, (column) => `${column} = ${greatest(column)}`)},
     ${each(TIME, (column) => `${column} = case when ${IS_LATER} then excluded.${column} else e.${column} end`)}
   where ${IS_LATER} or (${list(MERGED, 'e.')}) is distinct from (${each(MERGED, greatest)})
  returning account, tracking_number, status, code`;

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
  const kept = await sql.query<NewEventRow>(KEEP_EVENTS, [
    asJsonb(events.map(({ account, event }, n) => ({ ...toRow(account, event), place_in_call: n }))),
    now,
  ]);
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

function toRow(account: string, told: TrackingEvent): Readonly<Record<Reported, string | null>> {
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

/** The place before the first event. */
export const FIRST_EVENT = '0';

/** A place among the events. @param share of the way from the oldest to the newest, from 0 to below 1 */
export async function placeAmongEvents(sql: Sql, share: number): Promise<string> {
  const [row] = await sql.query<{ after: string | number | null }>(
    'select min(id) - 1 + floor((max(id) - min(id)) * $1::float8)::bigint as after from tracking_event',
    [share],
  );
  return String(row?.after ?? FIRST_EVENT);
}

/** The events that one statement looks at and deletes. */
export interface UnclaimedPage {
  /** The id of the last event of the page before. */
  readonly after: string;
  /** Events received later are kept. */
  readonly before: Date;
  readonly size: number;
  /** The limit of deleted events. */
  readonly limit: number;
}

interface UnclaimedRow {
  readonly looked_at: number;
  readonly old: number;
  readonly last_id: string | number | null;
  readonly dropped: number;
  readonly last_dropped_id: string | number | null;
}

/**
 * Deletes events without a parcel: it was never registered, or it was deleted. Looks at one page of events in the order of
 * their ids, so that the time does not grow with the history. `offset 0` makes the planner probe the index for each event,
 * not read all parcels.
 * @returns how many, and where the next page begins; after the last old event it is the first one again
 */
export async function dropUnclaimedEvents(
  sql: Sql,
  { after, before, size, limit }: UnclaimedPage,
): Promise<{ readonly dropped: number; readonly after: string }> {
  const [row] = await sql.query<UnclaimedRow>(
    `with page as (
       select id, account, tracking_number, received_at < $2 as is_old from tracking_event
        where id > $1 order by id limit $3
     ), dropped as (
       delete from tracking_event where id = any(array(
         select id from page
          where is_old
            and not exists (select from tracked_parcel p
                             where p.account = page.account and p.tracking_number = page.tracking_number offset 0)
          order by id limit $4))
       returning id
     )
     select count(*)::int as looked_at, count(*) filter (where is_old)::int as old, max(id) as last_id,
            (select count(*)::int from dropped) as dropped, (select max(id) from dropped) as last_dropped_id
       from page`,
    [after, before, size, limit],
  );
  if (!row) throw new Error('an aggregate without a row');
  if (row.dropped === limit) return { dropped: row.dropped, after: String(row.last_dropped_id) };
  const isLast = row.looked_at < size || row.old === 0;
  return { dropped: row.dropped, after: isLast ? FIRST_EVENT : String(row.last_id) };
}
