import type { Consignment } from '../../consignment/consignment.js';
import { bookedParcels, cancelledParcels, carrierName, shipmentName } from '../../consignment/consignment.js';
import { siblings } from '../../consignment/ledger/consignment-rows.js';
import { type ConsignmentRow, toConsignment } from '../../consignment/ledger/row.js';
import { bySequence, isUnfinished, withoutHandedOn } from '../../consignment/ledger/sequence.js';
import type { Sql } from '../../db/database.js';
import { type EventContext, applyEvents, bringUpToDate, lockTracking } from '../events/apply-events.js';
import { pollWanted } from '../polling/poll-rows.js';
import { MAX_TRACKED_MS, firstPollAt, nextCheckAt } from '../polling/schedule.js';
import { type AccountEvent, parcelKey } from '../events/tracking-event-rows.js';
import { type NewTrackedParcel, registerParcels } from './parcel-rows.js';
import type { TrackingContext } from '../context.js';
import { fromStoredState, sqlStatesThat, traitsOf } from '../../consignment/states.js';

/** Consignments of one transaction; when there were so many, more may be left. */
export const REGISTERED_AT_ONCE = 100;
/** The text of the condition of the index `consignment_untracked`. */
const TRACKED = sqlStatesThat(({ isTracked }) => isTracked);
/**
 * The text of the condition of the index `consignment_refused_untracked`: beside a part that a person left in doubt, the
 * end of a cancellation is `refused`.
 */
const REFUSED_WITH_CANCELLED = `state = 'refused' and parts @> '[{"state": "cancelled"}]'`;

type Row = ConsignmentRow & { readonly account: string | null };

/** A parcel in transit, with what orders its consignment among those of the shipment; `created_at` is `null` where that is deleted. */
interface ParcelRow {
  readonly account: string;
  readonly tracking_number: string;
  readonly plan: ConsignmentRow['plan'];
  readonly created_at: Date | null;
}

/**
 * Registers the parcels of ended consignments, apart from booking, so that no booking waits for it. A consignment that
 * changes later is registered again, which does no harm.
 * @returns how many consignments; fewer than `REGISTERED_AT_ONCE`: none is left
 */
export async function registerEnded({ booking: context, options, callbacks }: TrackingContext): Promise<number> {
  const now = context.clock.now();
  const ended = await context.database.transaction(async (sql) => {
    await lockTracking(sql);
    const tracked = await takeUnregistered(sql, `state in ${TRACKED}`, REGISTERED_AT_ONCE);
    const refused = await takeUnregistered(sql, REFUSED_WITH_CANCELLED, REGISTERED_AT_ONCE - tracked.length);
    const rows = [...tracked, ...refused];
    if (rows.length === 0) return rows;
    const young = rows.filter((row) => now.getTime() - row.updated_at.getTime() < MAX_TRACKED_MS);
    const firstPoll = (account: string, at: Date) => {
      if (context.accounts.get(account)?.carrier.track === undefined) return null;
      return callbacks.has(account) ? nextCheckAt(at, at, context.random()) : firstPollAt(at, context.random());
    };
    const travelling = young.filter(({ state }) => traitsOf(fromStoredState(state)).booking === 'booked');
    const parcels = await Promise.all(travelling.map(async (row) => parcelsIn(row, await ownOf(sql, row), firstPoll)));
    await follow(sql, parcels.flat(), { options, now });
    await endCancelled(sql, young, { options, now });
    return rows;
  });
  return ended.length;
}

/** Registers parcels and applies the events that came before; inside a transaction that holds the lock. */
export async function follow(
  sql: Sql,
  parcels: readonly NewTrackedParcel[],
  { options, now }: EventContext,
): Promise<void> {
  await registerParcels(sql, parcels);
  const wanted = await pollWanted(sql, parcels, now);
  await bringUpToDate(sql, parcels, { options, now, polled: new Set(wanted.map(parcelKey)) });
}

/** @param condition that of a partial index */
async function takeUnregistered(sql: Sql, condition: string, limit: number): Promise<readonly Row[]> {
  return sql.query<Row>(
    `update consignment set tracked_version = version
      where id in (select id from consignment
                    where ${condition} and tracked_version is distinct from version
                    order by id limit $1 for update skip locked)
     returning *`,
    [limit],
  );
}

/** A consignment without the parts that a later booking has taken over: that one says what became of their parcels. */
async function ownOf(sql: Sql, row: Row): Promise<Consignment> {
  const consignment = toConsignment(row);
  const { shipmentId } = consignment;
  if (shipmentId === null || !isUnfinished(consignment)) return consignment;
  return withoutHandedOn(consignment, await siblings(sql, consignment, shipmentId));
}

function parcelsIn(
  row: Row,
  consignment: Consignment,
  firstPoll: (account: string, at: Date) => Date | null,
): readonly NewTrackedParcel[] {
  const account = consignment.plan?.account ?? row.account;
  if (account === null) return [];
  return bookedParcels(consignment).map(({ parcelId, trackingNumber, trackingUrl }) => ({
    account,
    trackingNumber,
    consignmentId: consignment.id,
    area: consignment.area,
    containerId: parcelId,
    shipmentId: consignment.shipmentId,
    shipmentNumber: shipmentName(consignment),
    carrierName: carrierName(consignment),
    addressee: consignment.addressee,
    trackingUrl,
    nextPollAt: firstPoll(account, row.updated_at),
    registeredAt: row.updated_at,
    bookedAt: row.created_at,
  }));
}

/**
 * Adds an event for parcels that we cancelled, so that later events of the carrier are compared with it; also where their
 * consignment keeps other parcels.
 */
async function endCancelled(sql: Sql, rows: readonly Row[], context: EventContext): Promise<void> {
  const events = await Promise.all(rows.map((row) => cancellationsOf(sql, row)));
  await applyEvents(sql, events.flat(), context);
}

/**
 * The cancellations of a consignment's parcels. A parcel that it has taken over may be registered with the booking before it; a
 * parcel that is registered with a later booking only has the same number, and was not cancelled.
 */
async function cancellationsOf(sql: Sql, row: Row): Promise<readonly AccountEvent[]> {
  const { id, updated_at: at } = row;
  const isWhole = traitsOf(fromStoredState(row.state)).isVoid;
  const parcels = cancelledAndNotBooked(row);
  if (!isWhole && parcels.length === 0) return [];
  const rows = await sql.query<ParcelRow>(
    `select p.account, p.tracking_number, holder.plan, holder.created_at
       from tracked_parcel p join consignment own on own.id = $1 left join consignment holder on holder.id = p.consignment_id
      where p.ended_at is null and p.replaced_at is null
        and (($2 and p.consignment_id = own.id)
             or (p.account = own.account and p.shipment_id = own.shipment_id
                 and (p.tracking_number, p.container_id) in (select * from unnest($3::text[], $4::text[]))))`,
    [id, isWhole, parcels.map(({ trackingNumber }) => trackingNumber), parcels.map(({ parcelId }) => parcelId)],
  );
  const own = toConsignment(row);
  const isOfLater = ({ plan, created_at: createdAt }: ParcelRow) =>
    createdAt !== null && bySequence({ plan: plan?.plan ?? null, createdAt }, own) > 0;
  const ended = rows.filter((parcel) => !isOfLater(parcel));
  return ended.map(({ account, tracking_number: trackingNumber }) => ({
    account,
    event: cancellation(trackingNumber, id, at),
  }));
}

/** The cancelled parcels, without those that the consignment has booked again under the same number. */
function cancelledAndNotBooked(row: Row): ReturnType<typeof cancelledParcels> {
  const consignment = toConsignment(row);
  const booked = new Set(bookedParcels(consignment).map(({ trackingNumber }) => trackingNumber));
  return cancelledParcels(consignment).filter(({ trackingNumber }) => !booked.has(trackingNumber));
}

function cancellation(trackingNumber: string, consignmentId: string, at: Date): AccountEvent['event'] {
  return {
    trackingNumber,
    status: 'cancelled',
    code: null,
    text: null,
    place: null,
    at: at.toISOString(),
    zone: 'stated',
    estimatedDelivery: null,
    id: `waybridge:cancelled:${consignmentId}`,
  };
}
