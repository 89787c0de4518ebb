import type { ImsEvent, ReadEvent } from '../ims/events.js';
import type { BookedOn } from '../consignment/consignment.js';
import type { TaskKind } from '../tasks/task-rows.js';

/** What intake needs to know of the areas. */
export type KnownAreas = ReadonlyMap<string, { readonly bookOn: 'transport-booking' | 'delivery-note' }>;

/** What an event asks us to do; pure. */
export type EventAction =
  | { readonly kind: 'book'; readonly bookedOn: BookedOn }
  | { readonly kind: 'task'; readonly task: TaskKind }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'hand-over' }
  | { readonly kind: 'nothing'; readonly problems?: readonly string[] };

const OLD_BOOKING_TYPES = ['packingCompleted', 'shippingLabelRequest'];

export function actionFor(
  event: ImsEvent,
  area: { readonly bookOn: 'transport-booking' | 'delivery-note' },
): EventAction {
  if (event.eventType === 'shipmentCreated') return named(event, { kind: 'task', task: 'choose-carrier' });
  if (OLD_BOOKING_TYPES.includes(event.eventType ?? ''))
    return event.shipmentId === null ? WITHOUT_SHIPMENT : { kind: 'book', bookedOn: 'packing-completed' };
  if (event.eventType === 'documentCancelled')
    return cancels(event) ? named(event, { kind: 'cancel' }) : { kind: 'nothing' };
  // Without a type it is taken for what it looks like.
  return event.eventType === 'documentCreated' || event.eventType === null
    ? actionForCreated(event, area)
    : { kind: 'nothing' };
}

function actionForCreated(
  event: ImsEvent,
  area: { readonly bookOn: 'transport-booking' | 'delivery-note' },
): EventAction {
  if (event.documentType !== null) return named(event, actionForDocument(event.documentType, area));
  return event.documentId === null ? { kind: 'nothing' } : { kind: 'task', task: 'identify-document' };
}

/** These came before there were booking documents: whatever document they name, it is not one to book for. */
const WITHOUT_SHIPMENT: EventAction = { kind: 'nothing', problems: ['it names no shipment'] };
const NAMELESS: EventAction = { kind: 'nothing', problems: ['it names neither a document nor a shipment'] };

/** Who wants something booked or cancelled must say what. */
function named(event: ImsEvent, action: EventAction): EventAction {
  const nameless = event.documentId === null && event.shipmentId === null;
  return nameless && action.kind !== 'nothing' && action.kind !== 'hand-over' ? NAMELESS : action;
}

/** A document that was created asks by its type. */
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
        : { kind: 'task', task: 'look-at-delivery-note' };
    case 'CONSIGNMENT_NOTE':
      return { kind: 'hand-over' };
    default:
      return { kind: 'nothing' };
  }
}

function cancels(event: ImsEvent): boolean {
  return event.documentType === 'TRANSPORT_BOOKING' || event.documentType === 'DELIVERY_NOTE';
}

/** What an event of an area asks for; of an area that is not ours, nothing. */
export function classifyEvent(event: ReadEvent, area: string | null, areas: KnownAreas): EventAction {
  if (event.kind === 'unreadable') return { kind: 'nothing' };
  const settings = area === null ? undefined : areas.get(area);
  if (settings) return actionFor(event, settings);
  const problem = event.contextId === null ? 'contextId is missing' : `area ${event.contextId} is not configured`;
  return { kind: 'nothing', problems: [problem] };
}

/** Some old events do not name their area: with one area there is no doubt. */
export function areaOfEvent(event: ImsEvent, areas: KnownAreas): string | null {
  if (event.contextId !== null) return event.contextId;
  const [only, ...more] = areas.keys();
  return only !== undefined && more.length === 0 ? only : null;
}
