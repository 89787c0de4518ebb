import type { TrackingStatus } from '../../../carriers/contract/tracking.js';
import { type MessageDraft, say } from '../../messages/message.js';
import { type Doubling, MAX_WITH_IMS_MS, delayMs, doublingMs } from '../../worker/backoff.js';
import type { AttemptEnd } from '../../worker/leased-rows.js';
import { sendMessage } from '../../areas/send-message.js';
import { type Area, areaOf } from '../../areas/area.js';
import { ImsUnavailable, isAnswered } from '../../ims/errors.js';
import { fieldValue } from '../../ims/json-fields.js';
import { quoteProblems } from '../../messages/quote.js';
import { whilePermitted } from '../../transport/send-guard.js';
import { TROUBLE } from '../events/apply-events.js';
import { lastSaid } from '../events/tracking-event-rows.js';
import { NotOurDocument, withStatuses } from './status-document.js';
import {
  type OutboxEntry,
  claimOutboxEntry,
  endKeptStatuses,
  openKeptStatuses,
  releaseOutboxEntry,
  saveOutboxEntry,
} from './outbox-rows.js';
import { type TrackedParcel, findParcelById, parcelsOfShipment } from '../parcels/parcel-rows.js';
import type { TrackingContext } from '../context.js';

/** Longer than all calls of one update, with their repetitions. */
const LEASE_MS = 120_000;
/** The longest delay after midnight: spreads the updates that waited for the IMS's requests of the new day. */
const SPREAD_AFTER_MIDNIGHT_MS = 10 * 60_000;
/**
 * The delay before a repetition that may tell a worker twice (the answer to the message was lost), or that can succeed only
 * after a person has changed something: 5 s at most at first, then doubled up to an hour, so about thirty a day.
 */
const REPEAT: Doubling = { firstMs: 5_000, maxMs: 3_600_000, atLeast: 0.5 };

/**
 * Delivers one due outbox entry. After a crash between sending and storing it is sent again: twice is better than
 * never.
 */
export async function deliver(tracking: TrackingContext, id: string): Promise<void> {
  const { database, clock, lease } = tracking.booking;
  const now = clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  const entry = await database.transaction((sql) => claimOutboxEntry(sql, id, { owner: lease.owner, now, until }));
  if (!entry) return;
  try {
    // A merged document must not overwrite what another instance has written since.
    const note = await whilePermitted(
      () => clock.now() < until,
      () => perform(tracking, entry),
    );
    if (entry.kind === 'kept-status') await releaseOutboxEntry(database, id, lease.owner);
    else await saveOutboxEntry(database, { id, owner: lease.owner }, { state: 'done', note, dueAt: null });
  } catch (error) {
    await saveOutboxEntry(database, { id, owner: lease.owner }, afterFailure(tracking, entry, error));
  }
}

/** @returns a note to store, if any */
async function perform(tracking: TrackingContext, entry: OutboxEntry): Promise<string | null> {
  // The area may be back with the next configuration: the entry waits for as long as for an IMS that is away.
  const area = areaOf(tracking.booking, entry.area);
  switch (entry.kind) {
    case 'message':
      return tellWorker(tracking, area, entry);
    case 'tracking-url':
      return writeUrl(tracking, area, entry);
    case 'kept-status':
      return keepStatus(tracking, area, entry);
  }
}

/** The entry can never be delivered. */
class Undeliverable extends Error {
  override readonly name = 'Undeliverable';
}

async function tellWorker(
  { booking: context }: TrackingContext,
  area: Area,
  { parcelId, status }: OutboxEntry,
): Promise<null> {
  const parcel = await findParcelById(context.database, parcelId);
  if (!parcel) throw new Undeliverable('the parcel is not followed any more');
  const said = await lastSaid(context.database, parcel, status);
  const { shipmentNumber, carrierName: carrier, trackingNumber } = parcel;
  const message = about(status, { shipmentNumber, carrier, trackingNumber, said: inWords(said) });
  if (message === null) throw new Undeliverable(`${status} is nothing to tell`);
  await sendMessage(context, { ...area, ims: area.imsBackground }, { to: parcel.addressee, message });
  return null;
}

interface Values {
  readonly shipmentNumber: string;
  readonly carrier: string;
  readonly trackingNumber: string;
  readonly said: string;
}

function about(status: TrackingStatus, values: Values): MessageDraft | null {
  switch (status) {
    case 'customs':
      return say('parcel-customs', values);
    case 'delivery-failed':
      return say('parcel-delivery-failed', values);
    case 'lost-or-damaged':
      return say('parcel-lost-or-damaged', values);
    case 'returned':
      return say('parcel-returned', values);
    case 'delivered':
      return say('parcel-delivered', values);
    case 'registered':
    case 'handed-over':
    case 'in-transit':
    case 'out-for-delivery':
    case 'at-pickup-point':
    case 'cancelled':
    case 'unrecognised':
      return null;
  }
}

type Said = Awaited<ReturnType<typeof lastSaid>>;

/** The carrier's text with place and local time, as the carrier's own page shows them. */
function inWords(said: Said): string {
  if (said === null) return '-';
  const when = said.at.slice(0, '2026-03-04T20:03'.length).replace('T', ' ');
  const parts = [said.text ?? said.code, said.place, when].filter((part) => part !== null && part !== '');
  return quoteProblems([{ text: parts.join(', ') }]);
}

/** @returns why it was not written, when the container has another parcel by now */
async function writeUrl(
  { booking: context }: TrackingContext,
  area: Area,
  { parcelId }: OutboxEntry,
): Promise<string | null> {
  const parcel = await findParcelById(context.database, parcelId);
  if (!parcel?.trackingUrl) throw new Undeliverable('there is no address to write');
  const { containerId, trackingNumber, trackingUrl } = parcel;
  if (parcel.status === 'cancelled') return 'not written: the parcel was cancelled';
  if (!(await stillHas(area, parcel))) return 'not written: the container has another tracking number by now';
  await area.imsBackground.patchShippingContainer(containerId, { trackingNumber, trackingUrl });
  return null;
}

/** Whether the container still has this tracking number: the shipment may have been booked again. */
async function stillHas(area: Area, { shipmentId, containerId, trackingNumber }: TrackedParcel): Promise<boolean> {
  if (shipmentId === null) return true;
  const { shippingContainers } = await area.imsBackground.loadShipment(shipmentId);
  const container = shippingContainers.find(({ id }) => id === containerId);
  // A container without a number counts: writing its number may have failed.
  return container !== undefined && (container.trackingNumber ?? trackingNumber) === trackingNumber;
}

/**
 * Reads, merges and writes the document. Statuses that change meanwhile have a later generation and are written again.
 */
async function keepStatus(
  { booking: context }: TrackingContext,
  area: Area,
  { shipmentId }: OutboxEntry,
): Promise<null> {
  if (shipmentId === null) throw new Undeliverable('there is no shipment to write to');
  const covered = await openKeptStatuses(context.database, area.contextId, shipmentId);
  const parcels = await parcelsOfShipment(context.database, area.contextId, shipmentId);
  const shipment = await area.imsBackground.loadShipment(shipmentId);
  const before = fieldValue(shipment.fields, 'dataDocument') ?? null;
  if (before !== null && typeof before !== 'string')
    throw new Undeliverable('the dataDocument of the shipment is no text');
  const after = withStatuses(before, parcels);
  if (after !== null) await area.imsBackground.patchShipment(shipmentId, { dataDocument: after });
  await endKeptStatuses(context.database, covered);
  return null;
}

function afterFailure({ booking: context }: TrackingContext, entry: OutboxEntry, thrown: unknown): AttemptEnd {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const now = context.clock.now();
  const newDayAt = error instanceof ImsUnavailable ? error.newDayAt : null;
  if (newDayAt !== null) {
    const dueAt = new Date(newDayAt.getTime() + Math.round(SPREAD_AFTER_MIDNIGHT_MS * context.random()));
    return { state: 'open', note: 'waits for the requests of a new day', dueAt };
  }
  const final = isFinal(error);
  const old = now.getTime() - entry.createdAt.getTime() > MAX_WITH_IMS_MS;
  const dueAt = final || old ? null : new Date(now.getTime() + waitMs(entry, error, context.random()));
  const { id, kind, status, area } = entry;
  // When the IMS does not answer, only the log reports the given-up update.
  const level = old && !final ? 'error' : levelOf(entry, dueAt);
  context.log[level]('tracking update not delivered', { entry: id, kind, status, area, error, again: dueAt !== null });
  return { state: dueAt ? 'open' : 'given-up', note: error.message, dueAt };
}

/** A warning that no worker got needs a person: error. */
function levelOf({ kind, status }: OutboxEntry, dueAt: Date | null): 'warn' | 'error' {
  return dueAt === null && kind === 'message' && TROUBLE.includes(status) ? 'error' : 'warn';
}

/**
 * The delay before the next attempt. The lost answer of a message may hide a success, so each repetition may be a
 * duplicate.
 */
function waitMs({ kind, attempts }: OutboxEntry, error: Error, random: number): number {
  if (!(error instanceof ImsUnavailable)) return doublingMs(REPEAT, attempts, random);
  const perhapsTold = kind === 'message' && error.effect === 'unknown';
  return perhapsTold ? doublingMs(REPEAT, attempts, random) : delayMs(attempts, error.retryAfterMs, random);
}

/** Whether the error is final. A page or redirect instead of an answer proves nothing. */
function isFinal(error: Error): boolean {
  return isAnswered(error) || [NotOurDocument, Undeliverable].some((type) => error instanceof type);
}
