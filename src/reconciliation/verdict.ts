import { createHash } from 'node:crypto';
import type { ImsEvent } from '../ims/events.js';
import type { ImsDocument, ImsShipment } from '../ims/resources.js';
import { type KnownAccount, accountsFor } from '../routing/language/rule.js';
import type { Consignment } from '../consignment/consignment.js';
import { traitsOf } from '../consignment/states.js';
import { type KnownDocument, isAtRest } from './known-rows.js';

/** A missed event, with the content that it would have had, except worker and device. */
export interface MissedEvent {
  readonly event: ImsEvent;
  /** Another program may have booked it: our records do not know the document, and it may be past PENDING. */
  readonly possiblyBooked: boolean;
}

/** The decision about a document or shipment of the IMS. */
export type ReconciliationVerdict =
  | { readonly kind: 'recover'; readonly missed: MissedEvent }
  /** It has ended in our records, but the IMS shows ON_GOING. */
  | { readonly kind: 'write-status'; readonly consignment: Consignment; readonly status: 'DONE' | 'FAILED' }
  | { readonly kind: 'known'; readonly because: string }
  | { readonly kind: 'not-ours'; readonly because: string };

/** The values that decide whether a shipment is ours. */
export interface Ours {
  readonly area: string;
  readonly accounts: readonly KnownAccount[];
  /** The number of rules: without rules a shipment without carrier gets none. */
  readonly rules: number;
  /** `not-kept`: our access cannot set statuses, so a booked document stays PENDING. */
  readonly statuses: 'kept' | 'not-kept';
}

/** The decision about a known document; pure. A correct status, and one that is not ours to change, is left alone. */
export function verdictOnKnown(document: ImsDocument, known: KnownDocument): ReconciliationVerdict {
  const about = aboutKnown(known);
  if (known.kind !== 'consignment') return about;
  const { consignment } = known;
  if (document.workStatus !== 'ON_GOING' || !isAtRest(consignment)) return about;
  const status = traitsOf(consignment.state).documentStatus;
  if (status === null) return about;
  if (status === 'DONE') return { kind: 'write-status', consignment, status };
  // We wrote FAILED, so another program has set it to ON_GOING since and works on it.
  return wasWritten(consignment) ? about : { kind: 'write-status', consignment, status };
}

/** The decision without the document; pure. */
export function aboutKnown(known: KnownDocument): Extract<ReconciliationVerdict, { kind: 'known' }> {
  if (known.kind === 'task') return { kind: 'known', because: 'it is being looked at' };
  if (known.kind === 'past') return { kind: 'known', because: 'its consignment ended long ago and was deleted' };
  return { kind: 'known', because: `consignment ${known.consignment.id} is ${known.consignment.state}` };
}

function wasWritten({ effects, run }: Consignment): boolean {
  return effects.some((effect) => effect.key === `work-status:${run}` && effect.state === 'done');
}

/** The decision about an unknown document; pure. @param shipment `null`: not among the open ones */
export function verdictOnUnknown(
  document: ImsDocument,
  shipment: ImsShipment | null,
  ours: Ours,
): ReconciliationVerdict {
  if (document.cancelled === true || document.workStatus === 'CANCELLED') return notOurs('the document is cancelled');
  if (document.workStatus === 'DONE') return notOurs('the document is DONE in the IMS');
  if (shipment === null) return notOurs('no open shipment belongs to it');
  const foreign = whyForeign(shipment, ours);
  if (foreign !== null) return notOurs(foreign);
  const untouched = document.workStatus === 'PENDING' || document.workStatus === null;
  const possiblyBooked = !untouched || ours.statuses === 'not-kept';
  return { kind: 'recover', missed: { event: bookingEvent(document, shipment, ours), possiblyBooked } };
}

/** The decision about an unknown shipment; pure. */
export function verdictOnShipment(shipment: ImsShipment, ours: Ours): ReconciliationVerdict {
  const foreign = whyForeign(shipment, ours);
  if (foreign !== null) return notOurs(foreign);
  if (shipment.carrierName !== null) return { kind: 'known', because: `its carrier is ${shipment.carrierName}` };
  return { kind: 'recover', missed: { event: creationEvent(shipment, ours), possiblyBooked: false } };
}

/** The decision about an unknown consignment note; pure. @param shipments that left by it */
export function verdictOnNote(note: ImsDocument, shipments: readonly ImsShipment[], ours: Ours): ReconciliationVerdict {
  if (note.cancelled === true || note.workStatus === 'CANCELLED') return notOurs('the document is cancelled');
  if (note.documentNumber === null) return notOurs('it has no number to find its shipments by');
  if (shipments.length === 0) return notOurs('no shipment left by it');
  const isOurs = ({ carrierName }: ImsShipment) =>
    carrierName !== null && accountsFor(carrierName, ours.accounts).length > 0;
  if (!shipments.some(isOurs)) return notOurs('none of its shipments has a carrier of our accounts');
  return { kind: 'recover', missed: { event: noteEvent(note, shipments, ours), possiblyBooked: false } };
}

function notOurs(because: string): ReconciliationVerdict {
  return { kind: 'not-ours', because };
}

function whyForeign(shipment: ImsShipment, { accounts, rules }: Ours): string | null {
  const { carrierName } = shipment;
  if (shipment.cancelled === true) return 'the shipment is cancelled';
  if (carrierName === null) return rules === 0 ? 'it has no carrier, and there are no rules to choose one' : null;
  return accountsFor(carrierName, accounts).length === 0
    ? `its carrier is ${carrierName}, which is none of our accounts`
    : null;
}

function bookingEvent(document: ImsDocument, shipment: ImsShipment, ours: Ours): ImsEvent {
  return {
    ...common(shipment, ours),
    eventId: document.documentCreatedEventId ?? derivedId(ours.area, 'document', document.id),
    eventType: 'documentCreated',
    documentType: document.documentType,
    documentId: document.id,
    occurredAt: document.timeCreated,
  };
}

function noteEvent(note: ImsDocument, shipments: readonly ImsShipment[], { area }: Ours): ImsEvent {
  return {
    ...noAddressee(area),
    shipmentId: null,
    shipmentIds: shipments.map(({ id }) => id),
    carrierName: null,
    eventId: note.documentCreatedEventId ?? derivedId(area, 'document', note.id),
    eventType: 'documentCreated',
    documentType: note.documentType,
    documentId: note.id,
    occurredAt: note.timeCreated,
  };
}

function creationEvent(shipment: ImsShipment, ours: Ours): ImsEvent {
  return {
    ...common(shipment, ours),
    eventId: shipment.shipmentCreatedEventId ?? derivedId(ours.area, 'shipment', shipment.id),
    eventType: 'shipmentCreated',
    documentType: null,
    documentId: null,
    occurredAt: shipment.timeCreated,
  };
}

function common({ id, carrierName }: ImsShipment, { area }: Ours) {
  return { ...noAddressee(area), shipmentId: id, shipmentIds: [id], carrierName } as const;
}

function noAddressee(area: string) {
  return { kind: 'event', contextId: area, userId: null, deviceName: null } as const;
}

/** A stable id for a missed event, whose own id the IMS does not tell: so it is recovered once. */
function derivedId(area: string, what: 'document' | 'shipment', id: string): string {
  return `lost:${createHash('sha256').update(`${area}:${what}:${id}`).digest('hex').slice(0, 32)}`;
}
