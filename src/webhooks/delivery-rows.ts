import type { TrackingEvent, TrackingStatus } from '../../carriers/contract/tracking.js';
import type { Sql } from '../db/database.js';
import type { Lease } from '../worker/lease.js';
import {
  type AttemptEnd,
  CLAIMED,
  asNew,
  claimValues,
  isUnleased,
  releaseRowsOf,
  reviveRows,
  saveAttemptEnd,
} from '../worker/leased-rows.js';

/** One event for one subscriber, leased for sending. */
export interface Delivery {
  readonly id: string;
  /** The id of the webhook: the same in every attempt, and in no other delivery, also after a backup was restored. */
  readonly webhookId: string;
  readonly subscriberId: string;
  readonly parcelId: string;
  readonly eventId: string;
  readonly attempts: number;
  readonly createdAt: Date;
}

const DAY_MS = 24 * 3_600_000;
/** Older events are not delivered: an event waits so long for its parcel. */
const NEWS_MS = 14 * DAY_MS;
/** Longer than `NEWS_MS`, so that nothing is delivered twice. */
const DELIVERED_KEPT_MS = 15 * DAY_MS;
const DEAD_KEPT_MS = 30 * DAY_MS;

/**
 * Adds a delivery for each subscriber and each event of these parcels that it has not had; in the transaction that
 * stores the events. Calling it again adds nothing. A new delivery waits behind the earlier ones of its parcel. The
 * subscribers are locked first: a delivery to one that is being removed would refuse the events.
 */
export async function enqueueDeliveries(
  sql: Sql,
  parcelIds: readonly string[],
  { now, dueAt }: { readonly now: Date; readonly dueAt: Date },
): Promise<void> {
  if (parcelIds.length === 0 || (await sql.query('select from subscriber limit 1')).length === 0) return;
  await sql.query(
    `insert into webhook_delivery (webhook_id, subscriber_id, event_id, parcel_id, status, due_at, created_at)
     select gen_random_uuid(), s.id, e.id, p.id, e.status, coalesce((select o.due_at from webhook_delivery o
              where o.subscriber_id = s.id and o.parcel_id = p.id and o.state = 'open' order by o.id desc limit 1), $4), $2
       from tracked_parcel p
       join tracking_event e on e.account = p.account and e.tracking_number = p.tracking_number
                              and e.moment >= p.events_from
       join subscriber s on s.area is null or s.area = p.area
      where p.id = any($1::bigint[]) and e.received_at >= greatest(s.created_at, $3)
      order by s.id, e.id for key share of s
     on conflict (subscriber_id, event_id, status) do nothing`,
    [[...parcelIds], now, new Date(now.getTime() - NEWS_MS), dueAt],
  );
}

/** Ids of subscribers with due deliveries. */
export async function subscribersDue(sql: Sql, now: Date): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    `select s.id from subscriber s
      where exists (select from webhook_delivery d where d.subscriber_id = s.id and d.state = 'open' and d.due_at <= $1)`,
    [now],
  );
  return rows.map((row) => row.id);
}

interface DeliveryRow {
  readonly id: string | number;
  /** `null`: inserted by a version without the column. */
  readonly webhook_id: string | null;
  readonly subscriber_id: string;
  readonly parcel_id: string | number;
  readonly event_id: string | number;
  readonly tries: number;
  readonly created_at: Date;
}

/** Claims the longest waiting delivery without a lease; of a parcel only the earliest, which keeps the order. */
export async function claimDelivery(sql: Sql, subscriberId: string, lease: Lease): Promise<Delivery | null> {
  const [row] = await sql.query<DeliveryRow>(
    `update webhook_delivery set ${CLAIMED}
      where id = (select d.id from webhook_delivery d
                   where d.subscriber_id = $1 and d.state = 'open' and d.due_at <= $4
                     and ${isUnleased('$4')}
                     and not exists (select from webhook_delivery earlier
                                      where earlier.subscriber_id = $1 and earlier.parcel_id = d.parcel_id
                                        and earlier.state = 'open' and earlier.id < d.id)
                   order by d.due_at, d.id limit 1 for update skip locked)
     returning *`,
    claimValues(subscriberId, lease),
  );
  if (!row) return null;
  return {
    id: String(row.id),
    webhookId: `evt_${row.webhook_id ?? `${row.subscriber_id}_${row.id}`}`,
    subscriberId: row.subscriber_id,
    parcelId: String(row.parcel_id),
    eventId: String(row.event_id),
    attempts: row.tries,
    createdAt: row.created_at,
  };
}

/** The end of an attempt. `endedAt`: `null` while it is tried again. */
export type DeliveryEnd = AttemptEnd<'dead'> & { readonly endedAt: Date | null };

/** Changes nothing when `owner` does not hold the lease. */
export async function endAttempt(
  sql: Sql,
  { delivery, owner }: { readonly delivery: Delivery; readonly owner: string },
  end: DeliveryEnd,
): Promise<void> {
  const { dueAt, endedAt } = end;
  const row = { table: 'webhook_delivery', id: delivery.id, owner } as const;
  const isSaved = await saveAttemptEnd(sql, { ...row, also: ', ended_at = :endedAt', values: { endedAt } }, end);
  if (!isSaved || dueAt === null) return;
  // Deliveries behind it wait until it is tried again.
  await sql.query(
    `update webhook_delivery set due_at = greatest(due_at, $4)
      where subscriber_id = $1 and parcel_id = $2 and state = 'open' and id > $3`,
    [delivery.subscriberId, delivery.parcelId, delivery.id, dueAt],
  );
}

/** Releases the leases of a stopping instance. */
export async function giveBackDeliveries(sql: Sql, owner: string): Promise<void> {
  await releaseRowsOf(sql, 'webhook_delivery', owner);
}

/** The content of a webhook. */
export interface News {
  readonly type: string;
  readonly timestamp: string;
  readonly data: object;
}

interface NewsRow extends Omit<TrackingEvent, 'id'> {
  readonly area: string;
  readonly account: string;
  readonly carrier: string;
  readonly consignmentId: string;
  readonly shipmentId: string | null;
  readonly shipmentNumber: string;
  readonly containerId: string;
  readonly parcelStatus: TrackingStatus;
  readonly moment: Date;
}

/** @returns `null`: the event was deleted */
export async function readNews(sql: Sql, { eventId, parcelId }: Delivery): Promise<News | null> {
  const [row] = await sql.query<NewsRow>(
    `select p.area, e.account, p.carrier_name as carrier, p.consignment_id as "consignmentId",
            p.shipment_id as "shipmentId", p.shipment_number as "shipmentNumber", p.container_id as "containerId",
            e.tracking_number as "trackingNumber", p.tracking_url as "trackingUrl",
            e.status, e.code, e.text, e.place, e.at, e.zone, e.estimated_delivery as "estimatedDelivery",
            p.status as "parcelStatus", e.moment
       from tracking_event e, tracked_parcel p where e.id = $1 and p.id = $2`,
    [eventId, parcelId],
  );
  return row ? toNews(row) : null;
}

function toNews(row: NewsRow): News {
  const { status, code, text, place, at, zone, estimatedDelivery, parcelStatus, moment, ...parcel } = row;
  return {
    type: `tracking.${status}`,
    timestamp: moment.toISOString(),
    data: { ...parcel, event: { status, code, text, place, at, zone, estimatedDelivery }, parcelStatus },
  };
}

/** A delivery that was given up. */
export interface DeadLetter {
  readonly id: string;
  readonly attempts: number;
  /** `attempts` under its first name. */
  readonly tries: number;
  /** The answer to the last attempt. */
  readonly note: string | null;
  readonly createdAt: Date;
  readonly diedAt: Date | null;
  readonly trackingNumber: string | null;
  readonly status: string;
}

interface DeadRow extends DeliveryRow {
  readonly note: string | null;
  readonly ended_at: Date | null;
  readonly tracking_number: string | null;
  readonly status: string;
}

/** The latest first. */
export async function deadLettersOf(sql: Sql, subscriberId: string, limit: number): Promise<readonly DeadLetter[]> {
  const rows = await sql.query<DeadRow>(
    `select d.*, p.tracking_number from webhook_delivery d left join tracked_parcel p on p.id = d.parcel_id
      where d.subscriber_id = $1 and d.state = 'dead' order by d.id desc limit $2`,
    [subscriberId, limit],
  );
  return rows.map(({ id, tries, note, status, ...row }) => ({
    ...{ id: String(id), attempts: tries, tries, note, status },
    createdAt: row.created_at,
    diedAt: row.ended_at,
    trackingNumber: row.tracking_number,
  }));
}

const NOT_ENDED = ', ended_at = null';

/** Makes dead letters due again. @param id `null`: all of them @returns how many */
export async function reviveDeadLetters(
  sql: Sql,
  { subscriberId, id }: { readonly subscriberId: string; readonly id: string | null },
  now: Date,
): Promise<number> {
  const rows = await sql.query(
    `update webhook_delivery set ${asNew('$1')} ${NOT_ENDED}
      where subscriber_id = $2 and state = 'dead' and ($3::bigint is null or id = $3::bigint) returning id`,
    [now, subscriberId, id],
  );
  return rows.length;
}

/** Revives some dead letters of any subscriber. */
export async function reviveDeliveries(sql: Sql, ids: readonly string[], now: Date): Promise<number> {
  return reviveRows(sql, { table: 'webhook_delivery', ids, state: 'dead', also: NOT_ENDED }, now);
}

/** Deletes old ended deliveries. @returns how many */
export async function dropOldDeliveries(sql: Sql, now: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from webhook_delivery where id in (
       select id from webhook_delivery
        where state <> 'open' and ended_at < $1 and (state = 'done' or ended_at < $2)
        order by ended_at limit $3)
     returning id`,
    [new Date(now.getTime() - DELIVERED_KEPT_MS), new Date(now.getTime() - DEAD_KEPT_MS), limit],
  );
  return rows.length;
}
