import { areaOf } from '../areas/area.js';
import type { BookingContext } from '../consignment/context.js';
import { documentsBookedOn } from '../consignment/ledger/booked-on-before.js';
import { isAskedFor, requestCancel } from '../consignment/ledger/consignment-rows.js';
import type { ImsArea } from '../ims/calls/area.js';
import { isRefusal } from '../ims/errors.js';
import { say } from '../messages/message.js';
import type { Task } from '../tasks/task-rows.js';
import { type Done, warn } from '../tasks/task.js';
import { actionForDocument } from './classify-event.js';
import { beginBooking } from './intake.js';

/*
 * An event may name a shipment and the type of its document, and neither the document nor what has become of it. The document
 * to which the shipment refers tells, with those that it is booked on:
 *
 * one is cancelled                                 its booking is cancelled; the worker is told of one without a document
 * the shipment refers to one that is not           it is booked
 * neither, and a booking was asked for before      the worker is told, since the event may be a cancellation
 * neither, and none was asked for                  the shipment is booked: a cancellation would have nothing to cancel
 */

/** What such an event says. */
export interface SaidOfShipment {
  readonly documentType: string;
  readonly shipmentId: string;
  readonly carrierName: string | null;
}

/** Does what has become of the shipment's documents asks for. */
export async function identifyByShipment(context: BookingContext, task: Task, said: SaidOfShipment): Promise<Done> {
  const { documentType: note, shipmentId } = said;
  const area = areaOf(context, task.area);
  const shipment = await area.ims.loadShipment(shipmentId);
  const current = note === 'DELIVERY_NOTE' ? shipment.deliveryNoteId : shipment.transportBookingId;
  const { toBook, cancelled, hasBookingWithout } = await documentsToHandle(context, task, { shipmentId, current });
  const wake = await cancelBookedOn(context, task, cancelled);
  if (toBook !== null)
    return { note, wake: [...wake, ...(await book(context, task, { ...said, documentId: toBook }))] };
  if (cancelled.length > 0 && !hasBookingWithout) return { note: 'cancelled', wake };
  if (!hasBookingWithout && !(await isAskedFor(context.database, { area: task.area, shipmentId })))
    return { note, wake: await book(context, task, { ...said, documentId: null }) };
  const { shipmentNumber } = shipment;
  await warn(context, { area, task }, [say('change-not-identified', { shipmentNumber })]);
  return { note: 'its document is not known', wake };
}

interface ShipmentDocuments {
  readonly shipmentId: string;
  /** The document to which the shipment refers; `null`: none. */
  readonly current: string | null;
}

interface ToHandle {
  readonly toBook: string | null;
  readonly cancelled: readonly string[];
  /** Whether the shipment has a booking without a document. */
  readonly hasBookingWithout: boolean;
}

async function documentsToHandle(
  context: BookingContext,
  { area }: Task,
  { shipmentId, current }: ShipmentDocuments,
): Promise<ToHandle> {
  const rows = await documentsBookedOn(context.database, { area, shipmentId });
  const booked = rows.filter((id) => id !== null);
  const statuses = new Map<string, DocumentStatus>();
  for (const id of new Set(current === null ? booked : [...booked, current]))
    statuses.set(id, await statusOf(areaOf(context, area).ims, id));
  const status = current === null ? null : statuses.get(current);
  // One that may not be read is new, unless it is booked on already.
  const asksForBooking = status === 'open' || (status === 'not-readable' && !booked.includes(current ?? ''));
  const cancelled = [...statuses.keys()].filter((id) => statuses.get(id) === 'cancelled');
  return { toBook: asksForBooking ? current : null, cancelled, hasBookingWithout: rows.includes(null) };
}

async function book(
  context: BookingContext,
  { area, addressee }: Task,
  { documentType, ...of }: SaidOfShipment & { readonly documentId: string | null },
): Promise<readonly string[]> {
  const action = actionForDocument(documentType, areaOf(context, area));
  if (action.kind !== 'book') return [];
  const { bookedOn } = action;
  return beginBooking(context.database, { ...of, area, bookedOn, addressee, now: context.clock.now() });
}

type DocumentStatus = 'open' | 'cancelled' | 'not-readable';

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
  { database, clock }: BookingContext,
  { area, addressee }: Task,
  documentIds: readonly string[],
): Promise<readonly string[]> {
  const wake: string[] = [];
  const now = clock.now();
  const by = { ...addressee, by: 'document' } as const;
  for (const documentId of documentIds)
    wake.push(...(await requestCancel(database, { area, documentId, shipmentIds: [], before: now, by, now })));
  return wake;
}
