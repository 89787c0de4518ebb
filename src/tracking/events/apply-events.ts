import type { TrackingStatus } from '../../../carriers/contract/tracking.js';
import { holdUntilCommit } from '../../db/advisory-locks.js';
import type { Sql } from '../../db/database.js';
import { enqueueDeliveries } from '../../webhooks/delivery-rows.js';
import {
  type AccountEvent,
  type NewTrackingEvent,
  type ParcelKey,
  eventsOf,
  keepEvents,
  parcelKey,
} from './tracking-event-rows.js';
import { type ParcelState, foldEvents } from '../fold.js';
import { type NewOutboxEntry, addToOutbox } from '../ims-updates/outbox-rows.js';
import { type TrackedParcel, type ParcelChange, findParcels, saveStates } from '../parcels/parcel-rows.js';
import type { TrackingOptions } from '../context.js';

/**
 * Serialises changes of events and registrations of parcels. Without it an event and its parcel that are stored at the
 * same moment would not see each other, and event ids would not grow in the order of the commits.
 */
export async function lockTracking(sql: Sql): Promise<void> {
  await holdUntilCommit(sql, 'tracking');
}

/** The statuses that a worker is warned of. */
export const TROUBLE: readonly TrackingStatus[] = ['customs', 'delivery-failed', 'lost-or-damaged', 'returned'];

/** Collects changes of status for one write. */
const KEEP_STATUS_AFTER_MS = 10_000;

/** How long messages and webhooks wait for the details of a callback without them. */
const WORDS_WITHIN_MS = 20_000;

export interface EventContext {
  readonly options: ReadonlyMap<string, TrackingOptions>;
  readonly now: Date;
  /** Keys of parcels that are polled at once, because their callback had no details. */
  readonly polled?: ReadonlySet<string>;
}

/**
 * Stores events and updates their parcels; inside a transaction that holds the lock. Events of unregistered numbers
 * wait for their parcel.
 * @returns the new events
 */
export async function applyEvents(
  sql: Sql,
  events: readonly AccountEvent[],
  context: EventContext,
): Promise<readonly NewTrackingEvent[]> {
  const fresh = await keepEvents(sql, events, context.now);
  await haveTextsRemoved(sql, fresh);
  await bringUpToDate(sql, fresh, context);
  return fresh;
}

/** A parcel may be spoken of after the texts of its consignment were removed: retention removes the new ones as well. */
async function haveTextsRemoved(sql: Sql, keys: readonly ParcelKey[]): Promise<void> {
  if (keys.length === 0) return;
  await sql.query(
    `update consignment set anonymised_at = null
      where anonymised_at is not null and id in (
        select consignment_id from tracked_parcel
         where (account, tracking_number) in (select * from unnest($1::text[], $2::text[])))`,
    [keys.map(({ account }) => account), keys.map(({ trackingNumber }) => trackingNumber)],
  );
}

/** Computes parcels again from all of their events. */
export async function bringUpToDate(
  sql: Sql,
  keys: readonly ParcelKey[],
  { options, now, polled = new Set() }: EventContext,
): Promise<void> {
  if (keys.length === 0) return;
  const parcels = await findParcels(sql, keys);
  if (parcels.length === 0) return;
  const ids = parcels.map((parcel) => parcel.id);
  const events = await eventsOf(sql, ids);
  const changes = parcels.map((parcel) => ({ parcel, state: foldEvents(events.get(parcel.id) ?? []) }));
  await saveStates(sql, changes, now);
  const outboxEntries = changes.flatMap((change) =>
    outboxEntriesFor(change, { options: options.get(change.parcel.area), now, polled }),
  );
  await addToOutbox(sql, outboxEntries, now);
  const keyOfId = new Map(parcels.map((parcel) => [parcel.id, parcelKey(parcel)]));
  const isPolled = (id: string) => polled.has(keyOfId.get(id) ?? '');
  const words = new Date(now.getTime() + WORDS_WITHIN_MS);
  await enqueueDeliveries(
    sql,
    ids.filter((id) => !isPolled(id)),
    { now, dueAt: now },
  );
  await enqueueDeliveries(sql, ids.filter(isPolled), { now, dueAt: words });
}

/** The outbox entries of a parcel; pure. Each has a key, so adding it again changes nothing. */
function outboxEntriesFor(
  { parcel, state }: ParcelChange,
  { options, now, polled }: Required<Omit<EventContext, 'options'>> & { readonly options: TrackingOptions | undefined },
): readonly NewOutboxEntry[] {
  // An area that is not configured any more gets no updates.
  if (options === undefined) return [];
  const told = state.seen.filter((status) => isTold(status, options));
  const dueAt = polled.has(parcelKey(parcel)) ? new Date(now.getTime() + WORDS_WITHIN_MS) : now;
  const messages = told.map((status) => entryOf(parcel, { kind: 'message', status, dueAt }));
  return [...messages, ...urlEntry(parcel, state, now), ...keptStatus(parcel, state, { options, now })];
}

function isTold(status: TrackingStatus, { tellDelivered }: TrackingOptions): boolean {
  return TROUBLE.includes(status) || (status === 'delivered' && tellDelivered);
}

function urlEntry(parcel: TrackedParcel, { trackingUrl }: ParcelState, now: Date): readonly NewOutboxEntry[] {
  if (parcel.trackingUrl !== null || trackingUrl === null) return [];
  // A parcel has one such entry, with a fixed status.
  return [entryOf(parcel, { kind: 'tracking-url', status: 'registered', dueAt: now })];
}

function keptStatus(
  parcel: TrackedParcel,
  { status, statusAt }: ParcelState,
  { options, now }: { readonly options: TrackingOptions; readonly now: Date },
): readonly NewOutboxEntry[] {
  if (!options.keepStatus || statusAt === null || status === parcel.status || parcel.shipmentId === null) return [];
  return [entryOf(parcel, { kind: 'kept-status', status, dueAt: new Date(now.getTime() + KEEP_STATUS_AFTER_MS) })];
}

function entryOf(
  { id, area, shipmentId }: TrackedParcel,
  entry: Pick<NewOutboxEntry, 'kind' | 'status' | 'dueAt'>,
): NewOutboxEntry {
  return { parcelId: id, area, shipmentId, ...entry };
}
