import type { ImsEvent, ReadEvent } from '../ims/events.js';
import type { BookedOn } from '../consignment/consignment.js';
import type { TaskKind } from '../tasks/task-rows.js';

/** What intake needs to know of the areas. */
export type KnownAreas = ReadonlyMap<string, { readonly bookOn: 'transport-booking' | 'delivery-note' }>;

/** The action that an event asks for. */
export type EventAction =
  | { readonly kind: 'book'; readonly bookedOn: BookedOn }
  | { readonly kind: 'task'; readonly task: TaskKind }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'handover' }
  | { readonly kind: 'nothing'; readonly problems?: readonly string[] };

const OLD_BOOKING_TYPES = ['packingCompleted', 'shippingLabelRequest'];

export function actionFor(
  event: ImsEvent,
  area: { readonly bookOn: 'transport-booking' | 'delivery-note' },
): EventAction {
  if (event.eventType === 'shipmentCreated')
    return event.shipmentId === null ? WITHOUT_SHIPMENT : { kind: 'task', task: 'choose-carrier' };
  if (OLD_BOOKING_TYPES.includes(event.eventType ?? ''))
    return event.shipmentId === null ? withoutShipment(event) : { kind: 'book', bookedOn: 'packing-completed' };
  if (event.eventType === 'documentCancelled') return actionForCancelled(event, area);
  // Without an event type, the other fields decide.
  return event.eventType === 'documentCreated' || event.eventType === null
    ? actionForCreated(event, area)
    : { kind: 'nothing' };
}

/**
 * The action for a cancelled document. Where the event does not say which bookings that means, a task reads the document, or tells
 * the worker when that says nothing either.
 */
function actionForCancelled(
  event: ImsEvent,
  area: { readonly bookOn: 'transport-booking' | 'delivery-note' },
): EventAction {
  const { documentType, documentId, shipmentIds } = event;
  if (documentType !== null && !cancels(event)) return { kind: 'nothing' };
  // Bookings know the document that they were booked on. For any other document they are found by its shipment, which an earlier
  // event may name.
  const isBookedOn = documentId !== null && actionForDocument(documentType ?? '', area).kind === 'book';
  const isClear = documentType !== null && (isBookedOn || shipmentIds.length > 0);
  return isClear ? { kind: 'cancel' } : { kind: 'task', task: 'identify-document' };
}

function actionForCreated(
  event: ImsEvent,
  area: { readonly bookOn: 'transport-booking' | 'delivery-note' },
): EventAction {
  if (event.documentType === null)
    return event.documentId === null ? { kind: 'nothing' } : { kind: 'task', task: 'identify-document' };
  const action = named(event, actionForDocument(event.documentType, area));
  return mayBeCancelled(event, action) ? { kind: 'task', task: 'identify-document' } : action;
}

/**
 * Tells whether an event without a type may be about a cancelled document that booking does not read: a delivery note, or
 * one that the event does not name. Of a consignment note, and of a delivery note that is not named, it counts as the
 * creation, the only event that the IMS describes for them.
 */
function mayBeCancelled({ eventType, documentId }: ImsEvent, action: EventAction): boolean {
  return eventType === null && action.kind === (documentId === null ? 'book' : 'task');
}

/** An event that names no shipment: its document does not tell the shipment either. */
const WITHOUT_SHIPMENT: EventAction = { kind: 'nothing', problems: ['it names no shipment'] };
const NAMELESS: EventAction = { kind: 'nothing', problems: ['it names neither a document nor a shipment'] };

/** The IMS describes no booking of several shipments, so none is booked. The task tells the worker, who asks for each one. */
function isOfSeveral({ documentId, shipmentIds }: ImsEvent): boolean {
  return documentId === null && shipmentIds.length > 1;
}

function withoutShipment(event: ImsEvent): EventAction {
  return isOfSeveral(event) ? { kind: 'task', task: 'identify-document' } : WITHOUT_SHIPMENT;
}

/** A booking must name its shipment or document. */
function named(event: ImsEvent, action: EventAction): EventAction {
  if (action.kind === 'book' && isOfSeveral(event)) return { kind: 'task', task: 'identify-document' };
  const nameless = event.documentId === null && event.shipmentId === null;
  return nameless && action.kind !== 'nothing' && action.kind !== 'handover' ? NAMELESS : action;
}

/** The action for a new document, by its type. */
export function actionForDocument(
  documentType: string,
  area: { readonly bookOn: 'transport-booking' | 'delivery-note' },
): EventAction {
  switch (documentType) {
    case 'TRANSPORT_BOOKING':
      return { kind: 'book', bookedOn: 'transport-booking' };
    case 'DELIVERY_NOTE':
      return area.bookOn === 'delivery-note'
        ? { kind: 'book', bookedOn: 'delivery-note' }
        : { kind: 'task', task: 'check-delivery-note' };
    case 'CONSIGNMENT_NOTE':
      return { kind: 'handover' };
    default:
      return { kind: 'nothing' };
  }
}

function cancels(event: ImsEvent): boolean {
  return event.documentType === 'TRANSPORT_BOOKING' || event.documentType === 'DELIVERY_NOTE';
}

/** The action for an event; none for an area that is not ours. */
export function classifyEvent(event: ReadEvent, area: string | null, areas: KnownAreas): EventAction {
  if (event.kind === 'unreadable') return { kind: 'nothing' };
  const settings = area === null ? undefined : areas.get(area);
  if (settings) return actionFor(event, settings);
  const problem = event.contextId === null ? 'contextId is missing' : `area ${event.contextId} is not configured`;
  return { kind: 'nothing', problems: [problem] };
}

/** Some older events name no area; with one configured area it is that one. */
export function areaOfEvent(event: ImsEvent, areas: KnownAreas): string | null {
  if (event.contextId !== null) return event.contextId;
  const [only, ...more] = areas.keys();
  return only !== undefined && more.length === 0 ? only : null;
}
