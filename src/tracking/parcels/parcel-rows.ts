import type { TrackingStatus } from '../../../carriers/contract/tracking.js';
import type { Addressee } from '../../messages/message.js';
import type { Sql } from '../../db/database.js';
import { asJsonb } from '../../db/json.js';
import { type ParcelKey, parcelKey } from '../events/tracking-event-rows.js';
import { type ParcelState, isEnd } from '../fold.js';

/** A tracked parcel. */
export interface TrackedParcel extends ParcelKey {
  readonly id: string;
  readonly consignmentId: string;
  readonly area: string;
  readonly containerId: string;
  readonly shipmentId: string | null;
  readonly shipmentNumber: string;
  readonly carrierName: string;
  readonly addressee: Addressee;
  readonly trackingUrl: string | null;
  /** The tracking address came with an event, and the IMS has none from the booking. */
  readonly urlFromEvents: boolean;
  readonly status: TrackingStatus;
  readonly statusAt: Date | null;
  readonly place: string | null;
  readonly estimatedDelivery: string | null;
  readonly nextPollAt: Date | null;
  readonly pollsFailed: number;
  readonly endedAt: Date | null;
  readonly registeredAt: Date;
  /** Earlier events belong to the parcel that had the number before. */
  readonly eventsFrom: Date;
}

/** A row as `PARCEL_COLUMNS` selects it. */
export type ParcelRow = Omit<TrackedParcel, 'id' | 'addressee'> & Addressee & { readonly id: string | number };

/** The columns of `tracked_parcel` with their types, by the names of the code. */
const COLUMNS = {
  id: ['id', 'bigint'],
  account: ['account', 'text'],
  trackingNumber: ['tracking_number', 'text'],
  consignmentId: ['consignment_id', 'text'],
  area: ['area', 'text'],
  containerId: ['container_id', 'text'],
  shipmentId: ['shipment_id', 'text'],
  shipmentNumber: ['shipment_number', 'text'],
  carrierName: ['carrier_name', 'text'],
  eventId: ['event_id', 'text'],
  userId: ['user_id', 'jsonb'],
  deviceName: ['device_name', 'text'],
  trackingUrl: ['tracking_url', 'text'],
  urlFromEvents: ['url_from_events', 'boolean'],
  status: ['status', 'text'],
  statusAt: ['status_at', 'timestamptz'],
  place: ['place', 'text'],
  estimatedDelivery: ['estimated_delivery', 'text'],
  nextPollAt: ['next_ask_at', 'timestamptz'],
  pollsFailed: ['asks_failed', 'int'],
  endedAt: ['ended_at', 'timestamptz'],
  registeredAt: ['registered_at', 'timestamptz'],
  eventsFrom: ['events_from', 'timestamptz'],
} as const satisfies Readonly<Record<keyof ParcelRow, readonly [column: string, type: string]>>;

type Name = keyof typeof COLUMNS;

/** SQL: all columns, for `select`. */
export const PARCEL_COLUMNS = Object.entries(COLUMNS)
  .map(([name, [column]]) => `${column} as "${name}"`)
  .join(', ');

/** Columns that the booking of a parcel fills. */
const REGISTERED: readonly Name[] = [
  'account',
  'trackingNumber',
  'consignmentId',
  'area',
  'containerId',
  'shipmentId',
  'shipmentNumber',
  'carrierName',
  'eventId',
  'userId',
  'deviceName',
  'trackingUrl',
  'nextPollAt',
  'registeredAt',
  'eventsFrom',
];
/** Columns of these that a newer booking of a known parcel changes. */
const MOVED: readonly Name[] = [
  'consignmentId',
  'area',
  'containerId',
  'shipmentId',
  'shipmentNumber',
  'eventId',
  'userId',
  'deviceName',
];
/** Columns that the events of a parcel fill. */
const COMPUTED = [
  'status',
  'statusAt',
  'place',
  'estimatedDelivery',
  'trackingUrl',
  'urlFromEvents',
] as const satisfies readonly Name[];

/** SQL: values for columns, from the array of objects in `$1`. */
function given(names: readonly Name[]): string {
  const types = names.map((name) => `"${name}" ${COLUMNS[name][1]}`);
  return `jsonb_to_recordset($1::jsonb) as given (${types.join(', ')})`;
}

function columnOf(name: Name): string {
  return COLUMNS[name][0];
}

export function toParcel({ id, eventId, userId, deviceName, ...row }: ParcelRow): TrackedParcel {
  return { ...row, id: String(id), addressee: { eventId, userId, deviceName } };
}

/** The values of a new registration. */
export type NewTrackedParcel = Pick<
  TrackedParcel,
  | 'account'
  | 'trackingNumber'
  | 'consignmentId'
  | 'area'
  | 'containerId'
  | 'shipmentId'
  | 'shipmentNumber'
  | 'carrierName'
  | 'addressee'
  | 'trackingUrl'
  | 'nextPollAt'
  | 'registeredAt'
> & {
  /** When its booking was asked for. */
  readonly bookedAt: Date;
};

/**
 * Registers parcels. A known parcel moves to the newer booking. A parcel that has ended and comes with another
 * container, or that was cancelled, only shares the number: it becomes a new parcel. A replaced parcel stays replaced.
 */
export async function registerParcels(sql: Sql, parcels: readonly NewTrackedParcel[]): Promise<void> {
  const known = new Map<string, Numbered[]>();
  for (const each of await withNumbers(sql, parcels))
    known.set(parcelKey(each), [...(known.get(parcelKey(each)) ?? []), each]);
  const before = (parcel: NewTrackedParcel) => known.get(parcelKey(parcel)) ?? [];
  const lastOfEach = [...new Map(parcels.map((parcel) => [parcelKey(parcel), parcel])).values()];
  const current = lastOfEach.filter((parcel) => !staysReplaced(parcel, before(parcel)));
  const replaced = current.flatMap((parcel) =>
    before(parcel)
      .filter((each) => isReplacedBy(each, parcel))
      .map(({ id }) => ({ id, at: parcel.registeredAt })),
  );
  await replace(sql, replaced);
  await upsert(
    sql,
    current.map((parcel) => ({ ...parcel, eventsFrom: eventsFrom(parcel, before(parcel)) })),
  );
}

/**
 * From when on events count for a parcel: from the request for its booking. An earlier parcel with this number may have been
 * cancelled after that; the event of its cancellation does not count.
 */
function eventsFrom(parcel: NewTrackedParcel, before: readonly Numbered[]): Date {
  if (before.length === 0) return new Date(0);
  const cancelled = before.filter((each) => each.status === 'cancelled' && isReplacedBy(each, parcel));
  const after = cancelled.map(({ statusAt }) =>
    Math.min((statusAt?.getTime() ?? 0) + 1, parcel.registeredAt.getTime()),
  );
  return new Date(Math.max(parcel.bookedAt.getTime(), ...after));
}

/** The values that tell a parcel from another one with its number. */
type Numbered = ParcelKey &
  Pick<TrackedParcel, 'id' | 'consignmentId' | 'containerId' | 'status' | 'statusAt' | 'endedAt'> & {
    readonly replaced: boolean;
  };

/** The number of its booking went to another parcel since. */
function staysReplaced(parcel: NewTrackedParcel, before: readonly Numbered[]): boolean {
  return before.some(({ consignmentId, replaced }) => replaced && consignmentId === parcel.consignmentId);
}

function isReplacedBy(known: Numbered, parcel: NewTrackedParcel): boolean {
  if (known.replaced || known.endedAt === null || known.consignmentId === parcel.consignmentId) return false;
  return known.containerId !== parcel.containerId || known.status === 'cancelled';
}

async function withNumbers(sql: Sql, keys: readonly ParcelKey[]): Promise<readonly Numbered[]> {
  const rows = await sql.query<ParcelRow & { readonly replaced: boolean }>(
    `select ${PARCEL_COLUMNS}, replaced_at is not null as replaced from tracked_parcel
      where account = any($1::text[]) and tracking_number = any($2::text[])`,
    [[...new Set(keys.map((key) => key.account))], keys.map((key) => key.trackingNumber)],
  );
  return rows.map((row) => ({ ...toParcel(row), replaced: row.replaced }));
}

async function replace(sql: Sql, old: readonly { readonly id: string; readonly at: Date }[]): Promise<void> {
  if (old.length === 0) return;
  await sql.query(
    `update tracked_parcel p set replaced_at = g.at, next_ask_at = null
       from unnest($1::bigint[], $2::timestamptz[]) as g (id, at) where p.id = g.id`,
    [old.map(({ id }) => id), old.map(({ at }) => at)],
  );
}

/** An existing parcel keeps the time from which its events count. */
async function upsert(sql: Sql, parcels: readonly (NewTrackedParcel & { readonly eventsFrom: Date })[]): Promise<void> {
  await sql.query(
    `insert into tracked_parcel (${REGISTERED.map(columnOf).join(', ')}, status)
     select ${REGISTERED.map((name) => `"${name}"`).join(', ')}, 'registered' from ${given(REGISTERED)}
     on conflict (account, tracking_number) where replaced_at is null do update set
       ${MOVED.map((name) => `${columnOf(name)} = excluded.${columnOf(name)}`).join(', ')},
       tracking_url = coalesce(excluded.tracking_url, tracked_parcel.tracking_url),
       url_from_events = tracked_parcel.url_from_events and excluded.tracking_url is null`,
    [asJsonb(parcels.map(({ addressee, ...parcel }) => ({ ...parcel, ...addressee })))],
  );
}

/** Registered parcels that have these numbers now. */
export async function findParcels(sql: Sql, keys: readonly ParcelKey[]): Promise<readonly TrackedParcel[]> {
  const rows = await sql.query<ParcelRow>(
    `select ${PARCEL_COLUMNS} from tracked_parcel
      where (account, tracking_number) in (select * from unnest($1::text[], $2::text[])) and replaced_at is null`,
    [keys.map((key) => key.account), keys.map((key) => key.trackingNumber)],
  );
  return rows.map(toParcel);
}

export async function findParcelById(sql: Sql, id: string): Promise<TrackedParcel | null> {
  const rows = await sql.query<ParcelRow>(`select ${PARCEL_COLUMNS} from tracked_parcel where id = $1`, [id]);
  return rows[0] ? toParcel(rows[0]) : null;
}

export async function parcelsByNumber(sql: Sql, trackingNumber: string): Promise<readonly TrackedParcel[]> {
  const rows = await sql.query<ParcelRow>(
    `select ${PARCEL_COLUMNS} from tracked_parcel where tracking_number = $1 order by id`,
    [trackingNumber],
  );
  return rows.map(toParcel);
}

/** In the order they were registered. */
export async function parcelsOfShipment(sql: Sql, area: string, shipmentId: string): Promise<readonly TrackedParcel[]> {
  const rows = await sql.query<ParcelRow>(
    `select ${PARCEL_COLUMNS} from tracked_parcel where area = $1 and shipment_id = $2 order by id`,
    [area, shipmentId],
  );
  return rows.map(toParcel);
}

export interface ParcelChange {
  readonly parcel: TrackedParcel;
  readonly state: ParcelState;
}

/** Stores computed states; ended parcels are not polled any more. */
export async function saveStates(sql: Sql, changes: readonly ParcelChange[], now: Date): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(
    ({ parcel, state }): Readonly<Record<(typeof COMPUTED)[number] | 'id' | 'endedAt', unknown>> => ({
      id: parcel.id,
      status: state.status,
      statusAt: state.statusAt,
      place: state.place,
      estimatedDelivery: state.estimatedDelivery,
      trackingUrl: parcel.urlFromEvents ? state.trackingUrl : (parcel.trackingUrl ?? state.trackingUrl),
      urlFromEvents: parcel.urlFromEvents || (parcel.trackingUrl === null && state.trackingUrl !== null),
      endedAt: isEnd(state.status) ? now : null,
    }),
  );
  await sql.query(
    `update tracked_parcel p set
       ${COMPUTED.map((name) => `${columnOf(name)} = given."${name}"`).join(', ')},
       ended_at = coalesce(p.ended_at, given."endedAt"),
       next_ask_at = case when given."endedAt" is not null and p.ended_at is null then null else p.next_ask_at end
      from ${given(['id', ...COMPUTED, 'endedAt'])} where p.id = given.id`,
    [asJsonb(rows)],
  );
}

/** Ends tracking of parcels that were open too long; their status stays. */
export async function endOldParcels(sql: Sql, registeredBefore: Date, now: Date): Promise<number> {
  const rows = await sql.query(
    `update tracked_parcel set ended_at = $2, next_ask_at = null
      where ended_at is null and registered_at < $1 returning id`,
    [registeredBefore, now],
  );
  return rows.length;
}

/** Deletes parcels that ended long ago, with their messages; their events follow. @returns how many */
export async function dropOldParcels(sql: Sql, endedBefore: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `with old as (delete from tracked_parcel
                   where id in (select id from tracked_parcel where ended_at < $1 order by ended_at limit $2)
                  returning id),
          told as (delete from tracking_outbox n using old where n.parcel_id = old.id)
     select id from old`,
    [endedBefore, limit],
  );
  return rows.length;
}
