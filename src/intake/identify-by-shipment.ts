import { areaOf } from '../areas/area.js';
import type { BookingContext } from '../consignment/context.js';
import { type BookedOnBefore, bookingsOf } from '../consignment/ledger/booked-on-before.js';
import { isAskedFor } from '../consignment/ledger/consignment-rows.js';
import { requestCancel } from '../consignment/ledger/cancel-requests.js';
import type { Sql } from '../db/database.js';
import type { ImsArea } from '../ims/calls/ims-area.js';
import { isRefusal } from '../ims/errors.js';
import { say } from '../messages/message.js';
import { type Task, markTaskTold } from '../tasks/task-rows.js';
import { type Done, warn } from '../tasks/task.js';
import { actionForDocument } from './classify-event.js';
import { holdShipments } from './hold-shipments.js';
import { beginBooking } from './intake.js';

/*
 * An event may name a shipment and the type of its document, and neither the document nor what has become of it. The document
 * to which the shipment refers tells, with those that it is booked on:
 *
 * one is cancelled                                 its booking is cancelled, unless that was asked for before; the worker is
 *                                                  told of one without a document
 * the shipment refers to one that is not           it is booked
 * neither, and a booking was asked for before      the worker is told, since the event may be a cancellation
 * neither, and none was asked for                  the shipment is booked: a cancellation would have nothing to cancel
 */

/** Says that a task's bookings and cancellations are stored: the task, run again, changes nothing and posts no message. */
const HANDLED = 'handled';

/** How often an event's documents are read: meanwhile, the shipment may have been booked on others. */
const MAX_READS = 5;

/** What such an event says. */
export interface SaidOfShipment {
  readonly documentType: string;
  readonly shipmentId: string;
  readonly carrierName: string | null;
  readonly occurredAt: Date | null;
}

/** Books, cancels or tells the worker, by the status of the shipment's documents. */
export async function identifyByShipment(context: BookingContext, task: Task, said: SaidOfShipment): Promise<Done> {
  const { documentType: note, shipmentId } = said;
  if (task.told.includes(HANDLED)) return { note, wake: [] };
  const area = areaOf(context, task.area);
  const { shipmentNumber, ...shipment } = await area.ims.loadShipment(shipmentId);
  const current = note === 'DELIVERY_NOTE' ? shipment.deliveryNoteId : shipment.transportBookingId;
  const handled = await handleByDocuments(context, { task, said, current });
  if (handled.kind === 'clear') return handled.done;
  await warn(context, { area, task }, [say('change-not-identified', { shipmentNumber })]);
  return { note: 'its document is not known', wake: handled.wake };
}

interface Handling {
  readonly task: Task;
  readonly said: SaidOfShipment;
  /** The document to which the shipment refers; `null`: none. */
  readonly current: string | null;
}

type DocumentStatus = 'open' | 'cancelled' | 'not-readable';

type Statuses = ReadonlyMap<string, DocumentStatus>;

type Handled =
  | { readonly kind: 'clear'; readonly done: Done }
  /** It is not known what the event asks for. */
  | { readonly kind: 'unclear'; readonly wake: readonly string[] };

interface ToRead {
  readonly kind: 'to-read';
  readonly documentIds: readonly string[];
}

/**
 * No transaction waits for the IMS, so documents are read between transactions. Where the shipment was booked on another document
 * meanwhile, that one is read too.
 */
async function handleByDocuments(context: BookingContext, handling: Handling): Promise<Handled> {
  const { ims } = areaOf(context, handling.task.area);
  const statuses = new Map<string, DocumentStatus>();
  for (let reads = 0; reads <= MAX_READS; reads += 1) {
    const handled = await context.database.transaction((sql) => handle(context, sql, { ...handling, statuses }));
    if (handled.kind !== 'to-read') return handled;
    for (const id of handled.documentIds) statuses.set(id, await statusOf(ims, id));
  }
  throw new Error(`shipment ${handling.said.shipmentId} is booked on other documents each time that they are read`);
}

async function handle(
  context: BookingContext,
  sql: Sql,
  { statuses, ...handling }: Handling & { readonly statuses: Statuses },
): Promise<Handled | ToRead> {
  const { task, said, current } = handling;
  const shipment = { area: task.area, shipmentId: said.shipmentId };
  await holdShipments(sql, [shipment]);
  const bookings = await bookingsOf(sql, shipment);
  const documentIds = documentsIn(bookings, current).filter((id) => !statuses.has(id));
  if (documentIds.length > 0) return { kind: 'to-read', documentIds };
  return store(context, sql, { task, said, found: whatToHandle(bookings, current, statuses) });
}

interface Storing extends Omit<Handling, 'current'> {
  readonly found: ToHandle;
}

/** Stores what the event asks for together with the note that it is stored: a process may die at any time. */
async function store(context: BookingContext, sql: Sql, { task, said, found }: Storing): Promise<Handled> {
  const { toBook, toCancel, isCancelled, hasBookingWithout } = found;
  const { documentType, shipmentId } = said;
  const wake = [...(await cancelBookedOn(context, sql, { task, documentIds: toCancel }))];
  const isKnown = isCancelled || (await isAskedFor(sql, { area: task.area, shipmentId }));
  if (toBook !== null || !isKnown) wake.push(...(await book(context, sql, { task, said, documentId: toBook })));
  const isClear = toBook !== null || !isKnown || (isCancelled && !hasBookingWithout);
  if (!isClear) return { kind: 'unclear', wake };
  await markTaskTold(sql, task.id, HANDLED);
  return { kind: 'clear', done: { note: toBook === null && isCancelled ? 'cancelled' : documentType, wake } };
}

function documentsIn(bookings: readonly BookedOnBefore[], current: string | null): readonly string[] {
  const ids = new Set([...bookings.map(({ documentId }) => documentId), current]);
  return [...ids].filter((id) => id !== null);
}

interface ToHandle {
  readonly toBook: string | null;
  /** Documents whose bookings are to be cancelled. */
  readonly toCancel: readonly string[];
  /** The event may be of a cancellation: of these documents, or of the one to which the shipment refers. */
  readonly isCancelled: boolean;
  /** Whether the shipment has a booking without a document. */
  readonly hasBookingWithout: boolean;
}

function whatToHandle(bookings: readonly BookedOnBefore[], current: string | null, statuses: Statuses): ToHandle {
  const status = current === null ? null : statuses.get(current);
  // One that may not be read is new, unless it is booked on already.
  const isNew = !bookings.some(({ documentId }) => documentId === current);
  const asksForBooking = status === 'open' || (status === 'not-readable' && isNew);
  const toCancel = bookings.flatMap(({ documentId: id, isCancelAsked }) =>
    id !== null && !isCancelAsked && statuses.get(id) === 'cancelled' ? [id] : [],
  );
  return {
    toBook: asksForBooking ? current : null,
    toCancel,
    isCancelled: toCancel.length > 0 || status === 'cancelled',
    hasBookingWithout: bookings.some(({ documentId }) => documentId === null),
  };
}

async function book(
  context: BookingContext,
  sql: Sql,
  { task, said, documentId }: Omit<Handling, 'current'> & { readonly documentId: string | null },
): Promise<readonly string[]> {
  const { area, addressee } = task;
  const { documentType, ...of } = said;
  const action = actionForDocument(documentType, areaOf(context, area));
  if (action.kind !== 'book') return [];
  const { bookedOn } = action;
  return beginBooking(sql, { ...of, documentId, area, bookedOn, addressee, now: context.clock.now() });
}

async function statusOf(ims: ImsArea, id: string): Promise<DocumentStatus> {
  try {
    return (await ims.loadDocument(id)).cancelled === true ? 'cancelled' : 'open';
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return 'not-readable';
  }
}

/** @returns the bookings that are cancelled */
async function cancelBookedOn(
  { clock }: BookingContext,
  sql: Sql,
  { task, documentIds }: { readonly task: Task; readonly documentIds: readonly string[] },
): Promise<readonly string[]> {
  const { area, addressee } = task;
  const wake: string[] = [];
  const now = clock.now();
  const by = { ...addressee, by: 'document' } as const;
  for (const documentId of documentIds)
    wake.push(...(await requestCancel(sql, { area, documentId, shipmentIds: [], before: now, by, now })));
  return wake;
}
