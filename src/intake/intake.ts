import { createHash } from 'node:crypto';
import type { Sql } from '../db/database.js';
import type { ImsEvent } from '../ims/events.js';
import type { Arrival } from './arrivals.js';
import { type Begun, addresseeOf, cancelAsSaidBefore, cancelIfSaidBefore } from './cancelled-before.js';
import { type EventAction, type KnownAreas, areaOfEvent, classifyEvent } from './classify-event.js';
import type { BookedOn, Consignment } from '../consignment/consignment.js';
import type { Lease } from '../worker/lease.js';
import type { DueConsignment } from '../consignment/ledger/due-rows.js';
import { holdShipments } from './hold-shipments.js';
import { type NewEvent, insertEvents, timesOfCancellation } from './ims-event-rows.js';
import { type EventTimes, cancelsUntil, happenedAt } from './event-time.js';
import { type TaskKind, insertTask } from '../tasks/task-rows.js';
import { keepNote, markHandedOver } from '../manifests/consignment-note-rows.js';
import {
  type Inserted,
  insertConsignment,
  insertConsignments,
  reopenByDocument,
} from '../consignment/ledger/consignment-rows.js';
import { requestCancel } from '../consignment/ledger/cancel-requests.js';

/** The result for one event. */
export interface Receipt {
  readonly eventId: string | null;
  readonly outcome: 'accepted' | 'duplicate' | 'ignored' | 'unreadable';
  readonly problems?: readonly string[];
}

/** Marks the consignments of a consignment note, and stores the note for bookings that end later. */
export async function takeAlong(sql: Sql, { event, area, leftAt, heardAt }: Leaving): Promise<void> {
  const { documentId, shipmentIds } = event;
  await markHandedOver(sql, { area, documentId, shipmentIds, leftAt }, heardAt);
  if (documentId !== null) await keepNote(sql, { area, documentId, shipmentIds, leftAt }, heardAt);
}

interface Leaving {
  readonly event: Pick<ImsEvent, 'documentId' | 'shipmentIds'>;
  readonly area: string;
  /** The time of the event. */
  readonly leftAt: Date;
  /** When the event arrived. */
  readonly heardAt: Date;
}

export interface Taken {
  readonly receipt: Receipt;
  readonly due: Due;
}

/** Rows that are due now. */
export interface Due {
  readonly consignments: readonly DueConsignment[];
  /** The consignments among them that were stored with a lease. */
  readonly claimed?: readonly Consignment[];
  /** The ids of the tasks. */
  readonly tasks: readonly string[];
}

const NOTHING_DUE: Due = { consignments: [], tasks: [] };

/** An event with the action it asks for. */
interface Asked extends Arrival {
  readonly area: string | null;
  readonly action: EventAction;
}

/** New events of our areas that ask for something. */
interface Beginning {
  readonly event: ImsEvent;
  readonly area: string;
  readonly action: Exclude<EventAction, { kind: 'nothing' }>;
  readonly bookOn: 'transport-booking' | 'delivery-note' | undefined;
  readonly now: Date;
  /** An event that was ignored at first came before `now`. */
  readonly times: EventTimes;
  readonly possiblyBooked: boolean;
  readonly lease: Lease | null;
}

/**
 * Stores events with the rows they ask for, in order; inside the caller's transaction. Rows of one kind are written
 * together: a statement costs more than its rows.
 */
export async function takeIn(sql: Sql, arrivals: readonly Arrival[], areas: KnownAreas): Promise<readonly Taken[]> {
  const asked = arrivals.map((arrival) => ask(arrival, areas));
  const fresh = await keepEvents(sql, asked);
  const beginnings = asked.map((one) => {
    const receivedAt = fresh.get(one);
    return receivedAt === undefined ? null : beginningOf(one, receivedAt, areas);
  });
  const due = new Map<Beginning, Due>();
  const begun = beginnings.filter((each) => each !== null);
  await holdShipments(sql, begun.flatMap(heldFor));
  for (const group of groupsOf(begun)) {
    const rows = await beginGroup(sql, group);
    group.forEach((one, place) => due.set(one, rows[place] ?? NOTHING_DUE));
  }
  return asked.map((one, place) => {
    const beginning = beginnings[place] ?? null;
    return { receipt: receiptOf(one, fresh), due: (beginning && due.get(beginning)) ?? NOTHING_DUE };
  });
}

/** The shipments of a booking that names no document, and of a cancellation. */
function heldFor({ event, area, action }: Beginning) {
  const isByShipment =
    action.kind === 'cancel' || (action.kind === 'book' && documentOf(event, action.bookedOn) === null);
  return isByShipment ? event.shipmentIds.map((shipmentId) => ({ area, shipmentId })) : [];
}

function ask(arrival: Arrival, areas: KnownAreas): Asked {
  const { event } = arrival;
  const area = event.kind === 'event' ? areaOfEvent(event, areas) : null;
  return { ...arrival, area, action: classifyEvent(event, area, areas) };
}

/** @returns the new ones, with their first arrival; of several with one id, the first that asks for something */
async function keepEvents(sql: Sql, asked: readonly Asked[]): Promise<ReadonlyMap<Asked, Date>> {
  const rows = new Map<string, Asked>();
  for (const one of asked) {
    const { id } = toRow(one);
    const known = rows.get(id);
    if (known === undefined || (known.action.kind === 'nothing' && one.action.kind !== 'nothing')) rows.set(id, one);
  }
  const fresh = await insertEvents(sql, [...rows.values()].map(toRow));
  return new Map(
    [...rows].flatMap(([id, one]) => {
      const receivedAt = fresh.get(id);
      return receivedAt === undefined ? [] : [[one, receivedAt] as const];
    }),
  );
}

function toRow({ event, area, action, body, now }: Asked): NewEvent {
  if (event.kind === 'unreadable')
    return { ...NOTHING_READ, id: unreadableId(body), problems: event.problems, body, receivedAt: now };
  const { eventId: id, eventType, documentType, documentId, shipmentId, occurredAt } = event;
  const outcome = action.kind === 'nothing' ? 'ignored' : 'accepted';
  const said = { id, area, eventType, documentType, documentId, shipmentId, occurredAt };
  const problems = action.kind === 'nothing' ? (action.problems ?? null) : null;
  return { ...said, outcome, problems, body, receivedAt: now };
}

const NOTHING_READ = {
  ...{ area: null, eventType: null, documentType: null, documentId: null, shipmentId: null, occurredAt: null },
  outcome: 'unreadable',
} as const;

/** An id of its own for an unreadable event: with the id in its text, it would hide a readable event with that id. */
function unreadableId(body: string): string {
  return `unreadable:${createHash('sha256').update(body).digest('hex')}`;
}

function beginningOf(asked: Asked, receivedAt: Date, areas: KnownAreas): Beginning | null {
  const { event, area, action, now, possiblyBooked = false, leaseFor } = asked;
  if (event.kind === 'unreadable' || action.kind === 'nothing' || area === null) return null;
  const lease = action.kind === 'book' ? (leaseFor?.(area) ?? null) : null;
  const times = { occurredAt: event.occurredAt, receivedAt };
  return { event, area, action, bookOn: areas.get(area)?.bookOn, now, times, lease, possiblyBooked };
}

function receiptOf(one: Asked, fresh: ReadonlyMap<Asked, Date>): Receipt {
  const { event, action } = one;
  const { eventId } = event;
  if (event.kind === 'unreadable') return { eventId, outcome: 'unreadable', problems: event.problems };
  if (!fresh.has(one)) return { eventId, outcome: 'duplicate' };
  if (action.kind !== 'nothing') return { eventId, outcome: 'accepted' };
  return { eventId, outcome: 'ignored', ...(action.problems && { problems: action.problems }) };
}

/** Groups consecutive bookings of different documents; every other event is a group of its own. */
function groupsOf(beginnings: readonly Beginning[]): readonly (readonly Beginning[])[] {
  const groups: Beginning[][] = [];
  let documents = new Set<string>();
  for (const one of beginnings) {
    const document = one.action.kind === 'book' ? JSON.stringify([one.area, one.event.documentId]) : null;
    const joins = document !== null && documents.size > 0 && !documents.has(document);
    if (joins) groups.at(-1)?.push(one);
    else groups.push([one]);
    if (!joins) documents = new Set();
    if (document !== null) documents.add(document);
  }
  return groups;
}

async function beginGroup(sql: Sql, group: readonly Beginning[]): Promise<readonly Due[]> {
  const [first] = group;
  if (first === undefined || first.action.kind === 'book') return beginBookings(sql, group);
  return [await begin(sql, first, first.action)];
}

async function beginBookings(sql: Sql, bookings: readonly Beginning[]): Promise<readonly Due[]> {
  const rows = await insertConsignments(sql, bookings.map(newConsignment));
  const all = [];
  for (const [place, booking] of bookings.entries()) {
    const inserted = rows[place] ?? null;
    if (inserted !== null) await cancelIfSaidBefore(sql, inserted.id, newConsignment(booking));
    all.push(inserted === null ? await bookAgain(sql, booking) : dueAtOnce(booking.area, inserted));
  }
  return all;
}

function dueAtOnce(area: string, { id, claimed }: Inserted): Due {
  const due = consignmentsDue(area, [id]);
  return claimed === null ? due : { ...due, claimed: [claimed] };
}

/** The document has a consignment: a failed one is reopened, any other stays as it is. */
async function bookAgain(sql: Sql, booking: Beginning): Promise<Due> {
  const { event } = booking;
  // Without an event type it may be a cancellation; the document tells.
  if (event.eventType === null && event.documentId !== null) return beginTask(sql, booking, 'identify-document');
  const id = await reopenByDocument(sql, newConsignment(booking));
  return id === null ? NOTHING_DUE : consignmentsDue(booking.area, [id]);
}

async function begin(
  sql: Sql,
  beginning: Beginning,
  action: Exclude<EventAction, { kind: 'nothing' | 'book' }>,
): Promise<Due> {
  const { event, area, bookOn, now, times } = beginning;
  switch (action.kind) {
    case 'task':
      return (await cancelledBefore(sql, beginning)) ?? beginTask(sql, { event, area, now }, action.task);
    case 'cancel':
      return consignmentsDue(
        area,
        await requestCancel(sql, {
          area,
          ...cancelledBookings(event, bookOn),
          before: cancelsUntil((await timesOfCancellation(sql, { area, documentId: event.documentId })) ?? times),
          by: { ...addresseeOf(event), by: 'document' },
          now,
        }),
      );
    case 'handover':
      await takeAlong(sql, { event, area, leftAt: happenedAt(times), heardAt: now });
      return event.documentId === null ? NOTHING_DUE : beginTask(sql, { event, area, now }, 'handover');
  }
}

async function cancelledBefore(sql: Sql, beginning: Beginning): Promise<Due | null> {
  const ids = await cancelAsSaidBefore(sql, beginning);
  return ids && consignmentsDue(beginning.area, ids);
}

function consignmentsDue(area: string, ids: readonly string[]): Due {
  return { consignments: ids.map((id) => ({ id, area })), tasks: [] };
}

async function beginTask(
  sql: Sql,
  { event, area, now }: Pick<Beginning, 'event' | 'area' | 'now'>,
  kind: TaskKind,
): Promise<Due> {
  const { eventId: id, shipmentId, documentId } = event;
  await insertTask(sql, { id, kind, area, shipmentId, documentId, addressee: addresseeOf(event), createdAt: now });
  return { consignments: [], tasks: [id] };
}

/** A cancelled booking document means its own booking; any other document means all bookings of its shipment. */
function cancelledBookings(event: ImsEvent, bookOn: 'transport-booking' | 'delivery-note' | undefined) {
  const bookedOn = bookOn === 'delivery-note' ? ['TRANSPORT_BOOKING', 'DELIVERY_NOTE'] : ['TRANSPORT_BOOKING'];
  const own = bookedOn.includes(event.documentType ?? '');
  return { documentId: own ? event.documentId : null, shipmentIds: event.shipmentIds };
}

/** One consignment for each document: a second event reopens a failed one and changes nothing else. */
export async function beginBooking(sql: Sql, consignment: Begun): Promise<readonly string[]> {
  const inserted = await insertConsignment(sql, consignment);
  if (inserted !== null) await cancelIfSaidBefore(sql, inserted, consignment);
  const id = inserted ?? (await reopenByDocument(sql, consignment));
  return id === null ? [] : [id];
}

function newConsignment({ event, area, action, now, possiblyBooked, lease }: Beginning): Begun {
  const bookedOn = action.kind === 'book' ? action.bookedOn : 'transport-booking';
  return {
    area,
    bookedOn,
    documentId: documentOf(event, bookedOn),
    shipmentId: event.shipmentId,
    carrierName: event.carrierName,
    addressee: addresseeOf(event),
    occurredAt: event.occurredAt,
    now,
    possiblyBooked,
    ...(lease && { lease }),
  };
}

function documentOf({ documentId }: ImsEvent, bookedOn: BookedOn): string | null {
  return bookedOn === 'packing-completed' ? null : documentId;
}
