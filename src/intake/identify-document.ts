import { areaOf } from '../areas/area.js';
import type { BookingContext } from '../consignment/context.js';
import { isImsError } from '../consignment/steps/ims-failure.js';
import type { ImsArea } from '../ims/calls/ims-area.js';
import { isRefusal } from '../ims/errors.js';
import type { ImsEvent } from '../ims/events.js';
import type { ImsDocument } from '../ims/resources.js';
import type { Sql } from '../db/database.js';
import { type MessageDraft, say } from '../messages/message.js';
import { shipmentBookedOn } from '../consignment/ledger/booked-on-before.js';
import { mayBeBooked, requestCancel } from '../consignment/ledger/cancel-requests.js';
import { type Task, followingTaskId, insertTask } from '../tasks/task-rows.js';
import { type Done, type TaskHandler, warn } from '../tasks/task.js';
import { actionForDocument } from './classify-event.js';
import {
  cancellationIn,
  noteCancelled,
  shipmentsOfDocument,
  timesOfCancellation,
  timesOfEvent,
} from './ims-event-rows.js';
import { type EventTimes, cancelsUntil, happenedAt } from './event-time.js';
import { findEvent } from './event-list.js';
import { identifyByShipment } from './identify-by-shipment.js';
import { beginBooking, takeAlong } from './intake.js';
import { readStoredEvent } from './read-stored-event.js';

/** Shipments named in a message; the others are counted. */
const MAX_NAMED = 20;

/** The task of a document whose event does not say what is to be done for it. */
export const identifyingDocument: TaskHandler = {
  perform: identifyDocument,
  giveUp: tellNotIdentified,
};

/** Reads the type of a document whose event does not name it, and does what the type asks for. */
export async function identifyDocument(context: BookingContext, task: Task): Promise<Done> {
  const area = areaOf(context, task.area);
  if (task.documentId === null) return identifyWithoutDocument(context, task);
  const document = await documentOf(context, task);
  if (await isCancelled(context, task, document)) return cancelIdentified(context, task, document);
  const action = actionForDocument(document.documentType ?? '', area);
  const { shipmentId, documentId, addressee } = task;
  if (action.kind === 'book') {
    const now = context.clock.now();
    const { bookedOn } = action;
    const wake = await beginBooking(context.database, {
      area: task.area,
      bookedOn,
      documentId,
      shipmentId,
      addressee,
      occurredAt: null,
      now,
    });
    return { note: document.documentType, wake };
  }
  const next = action.kind === 'task' ? action.task : action.kind;
  if (next === 'nothing' || next === 'cancel' || next === 'identify-document')
    return { note: document.documentType, wake: [] };
  if (next === 'handover') await markNamed(context, task);
  const id = followingTaskId(task.id, next);
  await insertTask(context.database, { ...task, id, kind: next, createdAt: context.clock.now() });
  return { note: document.documentType, wake: [id] };
}

async function identifyWithoutDocument(context: BookingContext, task: Task): Promise<Done> {
  const event = await eventOf(context.database, task.id);
  const { eventType, documentType, shipmentId, carrierName, occurredAt } = event ?? NOT_SAID;
  if (eventType === null && documentType !== null && shipmentId !== null)
    return identifyByShipment(context, task, { documentType, shipmentId, carrierName, occurredAt });
  return event === null || eventType === 'documentCancelled'
    ? tellCancelledUnknown(context, task, event?.shipmentIds ?? [])
    : tellOfSeveral(context, task, event);
}

const NOT_SAID = { eventType: null, documentType: null, shipmentId: null, carrierName: null, occurredAt: null };

type Identified = Pick<ImsDocument, 'id' | 'documentType' | 'documentNumber' | 'cancelled'>;

/** Loads the document. For a cancelled one that we may not read, what its event says of it is enough. */
async function documentOf(context: BookingContext, { id, area, documentId }: Task): Promise<Identified> {
  try {
    return await areaOf(context, area).ims.loadDocument(documentId ?? '');
  } catch (error) {
    const documentType = (await cancellationIn(context.database, id))?.documentType ?? null;
    if (documentType === null || !isRefusal(error)) throw error;
    return { id: documentId ?? '', documentType, documentNumber: null, cancelled: true };
  }
}

/** The event's word is enough, as it is where the event names the type of its document. */
async function isCancelled({ database }: BookingContext, { id }: Task, { cancelled }: Identified): Promise<boolean> {
  return cancelled === true || (await cancellationIn(database, id)) !== null;
}

/** Reads the shipments of a consignment note from the event, since the document does not name them. */
async function markNamed({ database }: BookingContext, task: Task): Promise<void> {
  const { id, area, documentId } = task;
  const event = await eventOf(database, id);
  const named = { documentId, shipmentIds: event?.shipmentIds ?? [] };
  const times = await eventTimesOf(database, task);
  await takeAlong(database, { event: named, area, leftAt: happenedAt(times), heardAt: times.receivedAt });
}

/** The event of a task; where its body was deleted, what was read of it when it came. */
async function eventOf(sql: Sql, id: string): Promise<ImsEvent | null> {
  const found = await findEvent(sql, id);
  const event = found && readStoredEvent(found).understood;
  return event?.kind === 'event' ? event : null;
}

/** The times of the event, not of the task: a retry sets those anew, and would take later bookings for the event's. */
async function eventTimesOf(sql: Sql, { id, createdAt }: Task): Promise<EventTimes> {
  return (await timesOfEvent(sql, id)) ?? { occurredAt: null, receivedAt: createdAt };
}

/** An event without any type does not tell a creation from a cancellation either; the document's status does. */
async function cancelIdentified(context: BookingContext, task: Task, document: Identified): Promise<Done> {
  const { documentType } = document;
  const { area, documentId, addressee } = task;
  const booked = actionForDocument(documentType ?? '', areaOf(context, area)).kind === 'book';
  if (!booked && documentType !== 'DELIVERY_NOTE') return { note: 'cancelled', wake: [] };
  await noteCancelled(context.database, task.id, document);
  const named = task.shipmentId === null ? await shipmentsOfDocument(context.database, task) : [task.shipmentId];
  if (!booked && named.length === 0) return tellShipmentUnknown(context, task, document);
  const wake = await requestCancel(context.database, {
    area,
    // A document that is booked on means its own booking, whatever shipments it names.
    documentId: booked ? documentId : null,
    shipmentIds: named,
    before: cancelsUntil(
      (await timesOfCancellation(context.database, task)) ?? (await eventTimesOf(context.database, task)),
    ),
    by: { ...addressee, by: 'document' },
    now: context.clock.now(),
  });
  return { note: 'cancelled', wake };
}

/** A cancellation that names no document: its worker is told, unless it is of shipments without a booking. */
async function tellCancelledUnknown(
  context: BookingContext,
  task: Task,
  shipmentIds: readonly string[],
): Promise<Done> {
  const { area } = task;
  const { database } = context;
  const before = cancelsUntil(await eventTimesOf(database, task));
  const booked = await mayBeBooked(database, { area, shipmentIds, before });
  if (shipmentIds.length > 0 && booked.length === 0)
    return { note: 'cancelled; nothing of its shipments is booked', wake: [] };
  const shipments = listed(booked, booked.length);
  await warn(context, { area: areaOf(context, area), task }, [say('cancelled-unknown', { shipments })]);
  return { note: 'cancelled; its document is not known', wake: [] };
}

/** A booking of several shipments that names no document; without an event type, it may be a cancellation. */
async function tellOfSeveral(context: BookingContext, task: Task, event: ImsEvent): Promise<Done> {
  const area = areaOf(context, task.area);
  const numbers: string[] = [];
  for (const id of event.shipmentIds.slice(0, MAX_NAMED)) numbers.push(await numberOf(area.ims, id));
  await warn(context, { area, task }, [ofSeveral(event, numbers)]);
  return { note: 'it names several shipments and no document', wake: [] };
}

/** @param known the numbers or ids of the first shipments */
function ofSeveral({ eventType, shipmentIds }: ImsEvent, known: readonly string[]): MessageDraft {
  const shipments = listed(known, shipmentIds.length);
  return eventType === null
    ? say('change-not-identified', { shipmentNumber: shipments })
    : say('booking-of-several', { shipments });
}

/** A packer knows a shipment by its number; its id where it may not be read. */
async function numberOf(ims: ImsArea, id: string): Promise<string> {
  try {
    return (await ims.loadShipment(id)).shipmentNumber;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return id;
  }
}

/** @param count of all, of which the first are known */
function listed(shipments: readonly string[], count: number): string {
  const rest = count > MAX_NAMED ? ` … (+${count - MAX_NAMED})` : '';
  return `${shipments.slice(0, MAX_NAMED).join(', ') || '-'}${rest}`;
}

async function tellShipmentUnknown(context: BookingContext, task: Task, document: Identified): Promise<Done> {
  const area = areaOf(context, task.area);
  const deliveryNote = document.documentNumber ?? document.id;
  await warn(context, { area, task }, [say('cancel-shipment-unknown', { deliveryNote })]);
  return { note: 'cancelled; its shipment is not known', wake: [] };
}

/** Tells the worker that a document was not identified: it may have asked for a booking or a cancellation. */
async function tellNotIdentified(context: BookingContext, task: Task): Promise<void> {
  const { id, documentId } = task;
  const area = context.areas.get(task.area);
  if (area === undefined) return;
  const message = await notIdentified(context, task);
  try {
    await warn(context, { area, task }, [message]);
  } catch (error) {
    if (!isImsError(error)) throw error;
    context.log.warn('document message not sent', { task: id, area: task.area, document: documentId, error });
  }
}

async function notIdentified({ database }: BookingContext, task: Task): Promise<MessageDraft> {
  const document = task.documentId;
  if (document === null) return withoutDocument(database, task);
  const shipmentNumber = await shipmentBookedOn(database, task);
  if (shipmentNumber === null) return say('document-not-identified', { document });
  return say('document-booked-on-before', { document, shipmentNumber });
}

/** Names shipments by their ids: the IMS has not given their numbers. */
async function withoutDocument(sql: Sql, { id, shipmentId }: Task): Promise<MessageDraft> {
  if (shipmentId !== null) return say('change-not-identified', { shipmentNumber: shipmentId });
  const event = await eventOf(sql, id);
  const shipmentIds = event?.shipmentIds ?? [];
  return event === null || event.eventType === 'documentCancelled'
    ? say('cancelled-unknown', { shipments: listed(shipmentIds, shipmentIds.length) })
    : ofSeveral(event, shipmentIds);
}
