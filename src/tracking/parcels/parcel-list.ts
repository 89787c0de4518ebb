import type { TrackingStatus } from '../../../carriers/contract/tracking.js';
import type { Sql } from '../../db/database.js';
import { named } from '../../db/named.js';
import { PARCEL_COLUMNS, type ParcelRow, type TrackedParcel, toParcel } from './parcel-rows.js';

const DAY_MS = 24 * 3_600_000;
/** A parcel on its way of which the carrier has said nothing for so long is late. */
export const QUIET_DAYS = 4;
/** More parcels of one status than this are not counted. */
export const MAX_COUNTED_PARCELS = 2_000;

/** `null`, here and below: all. */
export interface ParcelFilter {
  readonly statuses: readonly TrackingStatus[] | null;
  readonly areas: readonly string[] | null;
  readonly accounts: readonly string[] | null;
  /** Whether the carrier has not delivered it by the day that it named, or has said nothing for four days. */
  readonly late: boolean | null;
  /** Only those that were registered at this time or later, … */
  readonly since: Date | null;
  /** … and before this one. */
  readonly until: Date | null;
  /** Exactly the tracking number, or a number of its shipment, document or consignment. */
  readonly q: string | null;
}

export interface ParcelPage {
  readonly cursor: string | null;
  readonly limit: number;
}

/** `promised`: its day is over; `quiet`: the carrier says nothing; `null`: it is not late. */
export type Late = 'promised' | 'quiet' | null;
export type ListedParcel = TrackedParcel & { readonly late: Late };

/** SQL: why a parcel is late. One at a pick-up point is not: it waits for the recipient. */
const LATE = `case
  when ended_at is not null or status = 'at-pickup-point' then null
  when estimated_delivery ~ '^\\d{4}-\\d\\d-\\d\\d' and left(estimated_delivery, 10) < :today::text then 'promised'
  when coalesce(status_at, registered_at) < :quiet::timestamptz then 'quiet' end`;

const CONDITIONS = `replaced_at is null
   and (:areas::text[] is null or area = any(:areas)) and (:accounts::text[] is null or account = any(:accounts))
   and (:since::timestamptz is null or registered_at >= :since)
   and (:until::timestamptz is null or registered_at < :until)
   and (:cursor::bigint is null or tracked_parcel.id < :cursor)`;

const BEARS = `(tracking_number = :q::text or consignment_id = any(array(
   select :q union all select consignment.id from consignment
    where shipment_number = :q or shipment_id = :q or document_id = :q or carrier_number = :q)))`;

/** The latest registered first. @returns the parcels of the page, and where the next one begins; `null`: there is none */
export async function listParcels(
  sql: Sql,
  filter: ParcelFilter,
  { cursor, limit, now }: ParcelPage & { readonly now: Date },
): Promise<{ readonly parcels: readonly ListedParcel[]; readonly cursor: string | null }> {
  const { statuses, q, areas, accounts, since, until } = filter;
  const given = { ...(statuses && { statuses: [...statuses] }), ...(q !== null && { q }) };
  const others = { areas, accounts, since, until };
  const rows = await sql.query<ParcelRow & { readonly late: Late }>(
    ...named(statementOf(filter), { ...others, ...given, ...lateAt(now), cursor, limit: limit + 1 }),
  );
  const shown = rows.slice(0, limit).map(({ late: why, ...row }) => ({ ...toParcel(row), late: why }));
  return { parcels: shown, cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** Each status is read by itself, since its index has the rows in their order. A number is looked up before anything else. */
function statementOf({ statuses, late, q }: ParcelFilter): string {
  const lateness = late === null ? '' : ` and (${LATE}) is ${late ? 'not null and ended_at is null' : 'null'}`;
  const bearing = q === null ? '' : ` and ${BEARS}`;
  const rows = (also: string) =>
    `select ${PARCEL_COLUMNS}, ${LATE} as late from tracked_parcel
      where ${CONDITIONS}${also}${bearing}${lateness} order by tracked_parcel.id desc limit :limit`;
  if (statuses === null || q !== null) return rows(statuses === null ? '' : ' and status = any(:statuses::text[])');
  return `select p.* from unnest(:statuses::text[]) wanted, lateral (${rows(' and status = wanted')}) p
           order by p.id desc limit :limit`;
}

function lateAt(now: Date): { readonly today: string; readonly quiet: Date } {
  return { today: now.toISOString().slice(0, 10), quiet: new Date(now.getTime() - QUIET_DAYS * DAY_MS) };
}

/** How many parcels have each status, and how many are late; at most 2,001 are counted. @param area `null`: of all */
export interface ParcelCounts {
  readonly statuses: ReadonlyMap<TrackingStatus, number>;
  readonly late: number;
}

export async function countParcels(
  sql: Sql,
  {
    statuses,
    area,
    now,
  }: { readonly statuses: readonly TrackingStatus[]; readonly area: string | null; readonly now: Date },
): Promise<ParcelCounts> {
  const own = '(:area::text is null or area = :area)';
  const counted = await sql.query<{ status: TrackingStatus; count: number }>(
    ...named(
      `select status, (select count(*)::int from (select 1 from tracked_parcel p
                where p.status = wanted.status and p.replaced_at is null and ${own} limit :most) found) as count
         from unnest(:statuses::text[]) as wanted (status)`,
      { statuses: [...statuses], area, most: MAX_COUNTED_PARCELS + 1 },
    ),
  );
  const [row] = await sql.query<{ count: number }>(
    ...named(
      `select count(*)::int as count from (select 1 from tracked_parcel
        where replaced_at is null and ended_at is null and ${own} and (${LATE}) is not null limit :most) found`,
      { area, most: MAX_COUNTED_PARCELS + 1, ...lateAt(now) },
    ),
  );
  return { statuses: new Map(counted.map(({ status, count }) => [status, count])), late: row?.count ?? 0 };
}
