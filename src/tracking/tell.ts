import type { TrackingStatus } from '../../carriers/contract/tracking.js';
import { type MessageDraft, say } from '../consignment/consignment.js';
import { LONGEST_WITH_IMS_MS, delayMs } from '../consignment/retry.js';
import { post } from '../consignment/steps/write.js';
import type { Area } from '../consignment/world.js';
import { ImsForbidden, ImsProblem, ImsRefused, ImsUnavailable } from '../ims/errors.js';
import { valueAt } from '../ims/json-fields.js';
import { quoteProblems } from '../messages/quote.js';
import { whilePermitted } from '../permission.js';
import { lastSaid } from './event-rows.js';
import { NotOurDocument, withStatuses } from './kept-status.js';
import {
  type Notice,
  type NoticeEnding,
  claimNotice,
  endKeptStatuses,
  openKeptStatuses,
  releaseNotice,
  saveNotice,
} from './notice-rows.js';
import { findParcelById, parcelsOfShipment } from './parcel-rows.js';
import type { TrackingWorld } from './surroundings.js';

/** Longer than the calls of one notice take together, each with all of its repetitions. */
const LEASE_MS = 120_000;
/** What waited for a new day does not all begin with its first second. */
const SPREAD_AFTER_MIDNIGHT_MS = 10 * 60_000;

/**
 * Tells the IMS one thing, if it is due and nobody else does. Who dies between telling and writing that down tells it
 * once more: better twice than never.
 */
export async function tell(tracking: TrackingWorld, id: string): Promise<void> {
  const { database, clock, lease } = tracking.world;
  const now = clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  const notice = await database.transaction((sql) => claimNotice(sql, id, { owner: lease.owner, now, until }));
  if (!notice) return;
  try {
    // What was merged before somebody else wrote must not be written over it.
    const note = await whilePermitted(
      () => clock.now() < until,
      () => perform(tracking, notice),
    );
    if (notice.kind === 'kept-status') await releaseNotice(database, id, lease.owner);
    else await saveNotice(database, { id, owner: lease.owner }, { state: 'done', note, dueAt: null });
  } catch (error) {
    await saveNotice(database, { id, owner: lease.owner }, afterFailure(tracking, notice, error));
  }
}

/** @returns a note, where there is something to note */
async function perform(tracking: TrackingWorld, notice: Notice): Promise<string | null> {
  const area = tracking.world.areas.get(notice.area);
  if (!area) throw new Hopeless(`area ${notice.area} is not configured`);
  switch (notice.kind) {
    case 'message':
      return tellWorker(tracking, area, notice);
    case 'tracking-url':
      return writeUrl(tracking, area, notice);
    case 'kept-status':
      return keepStatus(tracking, area, notice);
  }
}

/** Trying again would not help. */
class Hopeless extends Error {
  override readonly name = 'Hopeless';
}

async function tellWorker({ world }: TrackingWorld, area: Area, { parcelId, status }: Notice): Promise<null> {
  const parcel = await findParcelById(world.database, parcelId);
  if (!parcel) throw new Hopeless('the parcel is not followed any more');
  const said = await lastSaid(world.database, parcel, status);
  const { shipmentNumber, carrierName: carrier, trackingNumber } = parcel;
  const message = about(status, { shipmentNumber, carrier, trackingNumber, said: inWords(said) });
  if (message === null) throw new Hopeless(`${status} is nothing to tell`);
  await post(world, { ...area, ims: area.imsBackground }, { to: parcel.addressee, message });
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
    default:
      return null;
  }
}

type Said = Awaited<ReturnType<typeof lastSaid>>;

/** What the carrier says, where and when, in its own time: that is what its own page shows. */
function inWords(said: Said): string {
  if (said === null) return '-';
  const when = said.at.slice(0, '2026-03-04T20:03'.length).replace('T', ' ');
  const parts = [said.text ?? said.code, said.place, when].filter((part) => part !== null && part !== '');
  return quoteProblems([{ text: parts.join(', ') }]);
}

async function writeUrl({ world }: TrackingWorld, area: Area, { parcelId }: Notice): Promise<null> {
  const parcel = await findParcelById(world.database, parcelId);
  if (!parcel?.trackingUrl) throw new Hopeless('there is no address to write');
  const { containerId, trackingNumber, trackingUrl } = parcel;
  await area.imsBackground.patchShippingContainer(containerId, { trackingNumber, trackingUrl });
  return null;
}

/** Reads, merges, writes. What is wanted meanwhile has a later generation and is written once more. */
async function keepStatus({ world }: TrackingWorld, area: Area, { shipmentId }: Notice): Promise<null> {
  if (shipmentId === null) throw new Hopeless('there is no shipment to write to');
  const covered = await openKeptStatuses(world.database, area.contextId, shipmentId);
  const parcels = await parcelsOfShipment(world.database, area.contextId, shipmentId);
  const shipment = await area.imsBackground.loadShipment(shipmentId);
  const before = valueAt(shipment.fields, 'dataDocument') ?? null;
  if (before !== null && typeof before !== 'string') throw new Hopeless('the dataDocument of the shipment is no text');
  const after = withStatuses(before, parcels);
  if (after !== null) await area.imsBackground.patchShipment(shipmentId, { dataDocument: after });
  await endKeptStatuses(world.database, covered);
  return null;
}

function afterFailure({ world }: TrackingWorld, notice: Notice, thrown: unknown): NoticeEnding {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const now = world.clock.now();
  const newDayAt = error instanceof ImsUnavailable ? error.newDayAt : null;
  if (newDayAt !== null) {
    const dueAt = new Date(newDayAt.getTime() + Math.round(SPREAD_AFTER_MIDNIGHT_MS * world.random()));
    return { state: 'open', note: 'waits for the requests of a new day', dueAt };
  }
  const final = isFinal(error, notice);
  const old = now.getTime() - notice.createdAt.getTime() > LONGEST_WITH_IMS_MS;
  const retryAfterMs = error instanceof ImsUnavailable ? error.retryAfterMs : null;
  const dueAt = final || old ? null : new Date(now.getTime() + delayMs(notice.tries, retryAfterMs, world.random()));
  const { id, kind, status, area } = notice;
  // Nobody else hears of what is given up for want of an IMS.
  world.log[old && !final ? 'error' : 'warn']('tracking not told', {
    notice: id,
    kind,
    status,
    area,
    error,
    again: dueAt !== null,
  });
  return { state: dueAt ? 'open' : 'given-up', note: error.message, dueAt };
}

/** A message was tried several times by then: once more would only be one more of the same. */
function isFinal(error: Error, { kind }: Notice): boolean {
  if (kind === 'message' && error instanceof ImsUnavailable && error.effect === 'unknown') return true;
  return [ImsRefused, ImsForbidden, ImsProblem, NotOurDocument, Hopeless].some((type) => error instanceof type);
}
