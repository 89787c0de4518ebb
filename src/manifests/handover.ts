import { type Consignment, bookedParcels, missingContainers, shipmentName } from '../consignment/consignment.js';
import { withoutHandedOn } from '../consignment/ledger/sequence.js';
import { ImsForbidden } from '../ims/errors.js';
import { type MessageDraft, say } from '../messages/message.js';
import type { Task } from '../tasks/task-rows.js';
import { type Unfinished, isOld } from '../tasks/task.js';
import { leavingOf, manifestsOf } from './manifest.js';
import { type NamedRow, findNote, markLate, consignmentsOfNote } from './consignment-note-rows.js';
import { type Handover, type HandedOverRow, findHandovers, handedOverBy, insertHandover } from './manifest-rows.js';
import { withShipments } from './shipments-of-note.js';
import { type Tell, settleManifest } from './settle-manifest.js';
import type { BookingContext } from '../consignment/context.js';
import { type Area, areaOf } from '../areas/area.js';
import { traitsOf } from '../consignment/states.js';

/** Shipments named in a message; the others are counted. */
const MAX_NAMED = 20;

/** The result of one run. */
export interface HandoverRun {
  readonly note: string;
  /** `null`: everything has ended. */
  readonly unfinished: Unfinished | null;
}

/**
 * Handles a consignment note: makes a manifest for each account, closes out with carriers that offer it, and attaches
 * the manifest where we may. Each step is stored in the manifest's row, so a later run continues. A manifest waits for
 * bookings that have not ended, up to `giveUpAfterMs`; shipments that are missing then are told.
 */
export async function handOver(context: BookingContext, task: Task, tell: Tell): Promise<HandoverRun> {
  const { documentId } = task;
  if (documentId === null) return { note: 'names no document', unfinished: null };
  const area = areaOf(context, task.area);
  const { named, awaited } = await markNamed(context, { area, documentId, tell });
  const waiting = isTimeUp(context, area, task) ? [] : awaited;
  const rows = await handedOverBy(context.database, area.contextId, documentId);
  await keepLists(context, { area, documentId, rows, named, waiting });
  const handovers = await findHandovers(context.database, documentId, area.contextId);
  const age = isOld(task, context.clock.now()) ? 'old' : 'young';
  const failures: Error[] = [];
  for (const each of handovers)
    failures.push(...(await settleManifest(context, { area, taskId: task.id, rows, named, tell, age }, each)));
  if (waiting.length === 0) failures.push(...(await tellMissing(context, { documentId, named, handovers, tell })));
  const accounts = handovers.map(({ account }) => account).join(', ');
  const note = accounts === '' ? 'nothing of ours' : accounts;
  if (waiting.length + failures.length === 0) return { note, unfinished: null };
  return { note, unfinished: { failures, waitsFor: waiting.length > 0 ? 'bookings' : 'nothing' } };
}

interface OfNote {
  readonly area: Area;
  readonly documentId: string;
  readonly tell: Tell;
}

interface Named {
  /** Every booking of the note's shipments. */
  readonly named: readonly NamedRow[];
  /** The bookings that may still end in time. */
  readonly awaited: readonly NamedRow[];
}

/**
 * Marks consignments that were booked since the note came. What is begun after the time for which a manifest waits has
 * not left by the note, also where an operator retries the manifest days later.
 */
async function markNamed(context: BookingContext, { area, documentId, tell }: OfNote): Promise<Named> {
  const { database } = context;
  const kept = await findNote(database, area.contextId, documentId);
  if (kept === null) return { named: [], awaited: [] };
  const begunBy = new Date(kept.heardAt.getTime() + area.giveUpAfterMs);
  try {
    const note = await withShipments(context, area, { note: kept, begunBy });
    await markLate(database, note, begunBy);
    const named = await consignmentsOfNote(database, note);
    return { named, awaited: named.filter((row) => row.begunAt <= begunBy && isUnderWay(row)) };
  } catch (error) {
    if (error instanceof ImsForbidden) await tell(unreadableNote(area, documentId, error));
    throw error;
  }
}

function unreadableNote({ phrase }: Area, document: string, { operation }: ImsForbidden): MessageDraft {
  const right = operation === 'listShipments' ? 'right-list-shipments' : 'right-read-documents';
  return say('note-not-readable', { document, right: phrase(right, {}) });
}

/** Tells whether a booking still runs, or has ended since the others were marked. */
function isUnderWay({ consignment, handedOverBy: by }: NamedRow): boolean {
  const { booking } = traitsOf(consignment.state);
  return (booking === 'under-way' && !consignment.needsOperator) || (booking === 'booked' && by === null);
}

/** The time after which bookings are given up, too. */
function isTimeUp({ clock }: BookingContext, { giveUpAfterMs }: Area, { createdAt }: Task): boolean {
  return clock.now().getTime() - createdAt.getTime() > giveUpAfterMs;
}

interface Left {
  readonly area: Area;
  readonly documentId: string;
  readonly rows: readonly HandedOverRow[];
  readonly named: readonly NamedRow[];
  readonly waiting: readonly NamedRow[];
}

/**
 * Freezes a manifest once no further consignment can be added; a consignment without a carrier may still be added to
 * any of them.
 */
async function keepLists(context: BookingContext, { area, documentId, rows, named, waiting }: Left): Promise<void> {
  const now = context.clock.now();
  const expected = new Set(waiting.map(({ consignment }) => consignment.plan?.account ?? null));
  if (expected.has(null)) return;
  for (const list of manifestsOf(rows, named, { documentId, area, now })) {
    if (expected.has(list.account)) continue;
    const own = rows.filter(({ consignment }) => consignment.plan?.account === list.account);
    await insertHandover(context.database, {
      ...{ area: area.contextId, documentId, account: list.account, list, createdAt: now },
      closeOut: mayWantCloseOut(context, own) ? 'open' : 'not-offered',
    });
  }
}

/**
 * Whether one of the carriers has a close-out. Any account of the carrier tells, since the accounts of the bookings may have
 * been renamed; with no account of it the answer is yes, as nobody knows.
 */
function mayWantCloseOut({ accounts }: BookingContext, rows: readonly HandedOverRow[]): boolean {
  const carriers = new Set(rows.map(({ consignment }) => consignment.plan?.carrierId));
  const known = [...accounts.values()].filter(({ adapter }) => carriers.has(adapter.id));
  return known.length === 0 || known.some(({ carrier }) => carrier.closeOut !== undefined);
}

interface Ended {
  readonly documentId: string;
  readonly named: readonly NamedRow[];
  readonly handovers: readonly Handover[];
  readonly tell: Tell;
}

/** @returns the errors that prevented a message */
async function tellMissing(context: BookingContext, { tell, ...ended }: Ended): Promise<readonly Error[]> {
  const { documentId: document } = ended;
  const failures: Error[] = [];
  for (const [key, missing] of missingOn(ended)) {
    if (missing.length === 0) continue;
    context.log.warn('not on the manifest', { document, shipments: missing.length });
    const rest = missing.length > MAX_NAMED ? ` … (+${missing.length - MAX_NAMED})` : '';
    const shipments = `${missing.slice(0, MAX_NAMED).join(', ')}${rest}`;
    try {
      await tell(say(key, { document, shipments }));
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return failures;
}

/**
 * Shipments that we should have booked, that are on no manifest of the note, and that no other note names, with the
 * message about them: those that are booked by now, those in doubt, and the others; pure.
 */
function missingOn({ documentId, named, handovers }: Omit<Ended, 'tell'>) {
  const listed = new Set(handovers.flatMap(({ list }) => list.consignments.map((each) => each.consignmentId)));
  const hasLeft = ({ consignment, handedOverBy: by }: NamedRow) =>
    listed.has(consignment.id) || (by !== null && by !== documentId && bookedParcels(consignment).length > 0);
  const left = shipmentsOf(named.filter(hasLeft));
  const bookings = new Map<string | null, Consignment[]>();
  for (const { consignment } of named)
    bookings.set(consignment.shipmentId, [...(bookings.get(consignment.shipmentId) ?? []), consignment]);
  const expected = named.filter(({ consignment }) => traitsOf(consignment.state).isExpectedOnManifest);
  const late = lateOn({ documentId, named, handovers });
  const missing = expected.filter(({ consignment: { id, shipmentId } }) => !left.has(shipmentId) || late.has(id));
  const namesOf = (rows: readonly NamedRow[]) => [...new Set(rows.map(({ consignment }) => shipmentName(consignment)))];
  const doubted = shipmentsOf(named.filter(({ consignment }) => consignment.needsOperator));
  const messageAbout = ({ consignment: { id, shipmentId } }: NamedRow) => {
    if (left.has(shipmentId) && late.has(id)) return 'late-for-manifest';
    if (doubted.has(shipmentId)) return 'doubt-for-manifest';
    return isBookedWhole(bookings.get(shipmentId) ?? []) ? 'late-for-manifest' : 'not-on-manifest';
  };
  return (['late-for-manifest', 'doubt-for-manifest', 'not-on-manifest'] as const).map(
    (key) => [key, namesOf(missing.filter((row) => messageAbout(row) === key))] as const,
  );
}

/** Bookings that left by the note with a parcel that is on no manifest of it. */
function lateOn({ documentId, named, handovers }: Omit<Ended, 'tell'>): ReadonlySet<string> {
  const parcels = handovers.flatMap(({ list }) => list.consignments.flatMap((each) => each.parcels));
  const listed = new Set(parcels.map(({ trackingNumber }) => trackingNumber));
  const own = named.filter(({ handedOverBy: by }) => by === documentId);
  const late = leavingOf(own, named).filter(({ consignment }) =>
    bookedParcels(consignment).some(({ trackingNumber }) => !listed.has(trackingNumber)),
  );
  return new Set(late.map(({ consignment }) => consignment.id));
}

function shipmentsOf(rows: readonly NamedRow[]): ReadonlySet<string | null> {
  return new Set(rows.map(({ consignment }) => consignment.shipmentId));
}

/**
 * Whether a new booking would book the shipment twice. It would not where a booking lacks something: the new one completes
 * it. Parts that a later booking has taken over, and may have cancelled, count as that booking's.
 * @param bookings all of one shipment
 */
function isBookedWhole(bookings: readonly Consignment[]): boolean {
  return bookings
    .filter(({ state }) => traitsOf(state).booking === 'booked')
    .some((each) => missingContainers(withoutHandedOn(each, bookings)).length === 0);
}
