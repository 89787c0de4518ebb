import { ImsForbidden, isNotThere } from '../ims/errors.js';
import type { ImsDocument, ImsShipment } from '../ims/resources.js';
import { knownDocuments, knownEvents, shipmentsChosenFor } from './known-rows.js';
import { CONSIGNMENT_NOTE, openLists, oursIn, typesBookedOn } from './ims-lists.js';
import { judgeNote, notesHeardOf } from './consignment-notes.js';
import {
  type ReconciliationVerdict,
  aboutKnown,
  verdictOnKnown,
  verdictOnShipment,
  verdictOnUnknown,
} from './verdict.js';
import type { BookingContext } from '../consignment/context.js';
import type { Area } from '../areas/area.js';

/** What may have missed its event. */
export type Sought =
  | { readonly kind: 'shipment'; readonly id: string }
  | { readonly kind: 'document'; readonly id: string }
  /** Created within these times; `until` itself is not. */
  | { readonly kind: 'span'; readonly since: Date; readonly until: Date };

/** A document or shipment of the IMS, and the decision about it. */
export interface FoundInIms {
  readonly documentId: string | null;
  readonly shipmentId: string | null;
  readonly verdict: ReconciliationVerdict | { readonly kind: 'not-found' | 'not-allowed'; readonly because: string };
}

/** Finds documents and shipments in the IMS, and decides what is to be done about each. */
export function findMissed(context: BookingContext, area: Area, what: Sought): Promise<readonly FoundInIms[]> {
  switch (what.kind) {
    case 'shipment':
      return findByShipment(context, area, what.id);
    case 'document':
      return findByDocument(context, area, what.id);
    case 'span':
      return findBySpan(context, area, what);
  }
}

async function findByShipment(context: BookingContext, area: Area, id: string): Promise<readonly FoundInIms[]> {
  const shipment = await readable(() => area.imsBackground.loadShipment(id));
  if (shipment instanceof ImsForbidden) return [{ ...nothing, shipmentId: id, verdict: unseen(shipment) }];
  if (shipment === null) return [{ ...nothing, shipmentId: id, verdict: missing(`the IMS has no shipment ${id}`) }];
  const ids = [shipment.transportBookingId, area.bookOn === 'delivery-note' ? shipment.deliveryNoteId : null];
  const bookings: FoundInIms[] = [];
  for (const documentId of ids.flatMap((one) => one ?? []))
    bookings.push(...(await judgeBooking(context, area, { documentId, shipment })));
  // A shipment with a carrier and a booking is covered by its documents.
  const alone = shipment.carrierName === null || bookings.length === 0;
  const noteId = shipment.consignmentNoteId;
  const note = noteId === null ? null : await readable(() => area.imsBackground.loadDocument(noteId));
  return [
    ...bookings,
    ...(alone ? await judgeShipments(context, area, [shipment]) : []),
    ...(note === null || note instanceof ImsForbidden ? [] : await judgeNotes(context, area, [note])),
  ];
}

async function judgeBooking(
  context: BookingContext,
  area: Area,
  { documentId, shipment }: { readonly documentId: string; readonly shipment: ImsShipment },
): Promise<readonly FoundInIms[]> {
  const document = await readable(() => area.imsBackground.loadDocument(documentId));
  if (document instanceof ImsForbidden)
    return [await judgeUnseen(context, area, { documentId, shipmentId: shipment.id, error: document })];
  return document === null ? [] : judgeDocuments(context, area, { documents: [document], shipmentOf: () => shipment });
}

async function findByDocument(context: BookingContext, area: Area, id: string): Promise<readonly FoundInIms[]> {
  const document = await readable(() => area.imsBackground.loadDocument(id));
  if (document instanceof ImsForbidden)
    return [await judgeUnseen(context, area, { documentId: id, shipmentId: null, error: document })];
  if (document === null) return [{ ...nothing, documentId: id, verdict: missing(`the IMS has no document ${id}`) }];
  if (document.documentType === CONSIGNMENT_NOTE) return judgeNotes(context, area, [document]);
  if (!typesBookedOn(area.bookOn).includes(document.documentType ?? '')) {
    const because = `nothing is booked on a document of type ${document.documentType ?? '-'} in this area`;
    return [{ ...nothing, documentId: id, verdict: { kind: 'not-ours', because } }];
  }
  const shipments = await readable(() => openLists(context, area).shipmentsOf([id]));
  if (shipments instanceof ImsForbidden)
    return [await judgeUnseen(context, area, { documentId: id, shipmentId: null, error: shipments })];
  return judgeDocuments(context, area, { documents: [document], shipmentOf: () => shipments?.get(id) ?? null });
}

async function findBySpan(
  context: BookingContext,
  area: Area,
  { since, until }: { readonly since: Date; readonly until: Date },
): Promise<readonly FoundInIms[]> {
  const lists = openLists(context, area);
  const within = ({ timeCreated }: { readonly timeCreated: Date | null }) =>
    timeCreated !== null && timeCreated >= since && timeCreated < until;
  const documents = await readable(() => lists.documents());
  const unpacked = await readable(() => lists.unpacked());
  const notes = documents instanceof ImsForbidden ? null : await readable(() => lists.notes());
  const listed = rowsIn(documents).filter(within);
  const shipments = unpacked instanceof ImsForbidden ? new Map() : await lists.shipmentsOf(listed.map(({ id }) => id));
  const without = rowsIn(unpacked).filter((shipment) => shipment.carrierName === null && within(shipment));
  const unseenLists = [documents, unpacked].filter((list) => list instanceof ImsForbidden);
  return [
    ...(await judgeDocuments(context, area, { documents: listed, shipmentOf: ({ id }) => shipments.get(id) ?? null })),
    ...(await judgeShipments(context, area, without)),
    ...(await judgeNotes(context, area, rowsIn(notes).filter(within))),
    ...unseenLists.map((error) => ({ ...nothing, verdict: unseen(error) })),
  ];
}

function rowsIn<Row>(list: readonly Row[] | ImsForbidden | null): readonly Row[] {
  return list === null || list instanceof ImsForbidden ? [] : list;
}

/** Decides about consignment notes, with all their shipments. */
async function judgeNotes(
  context: BookingContext,
  area: Area,
  notes: readonly ImsDocument[],
): Promise<readonly FoundInIms[]> {
  const lists = openLists(context, area);
  const heard = await notesHeardOf(context, area, notes);
  const found: FoundInIms[] = [];
  for (const note of notes) {
    const verdict = heard.has(note.id) ? HEARD : await judgeNote(context, area, { lists, note });
    found.push({ documentId: note.id, shipmentId: null, verdict });
  }
  return found;
}

const nothing = { documentId: null, shipmentId: null } as const;

function missing(because: string) {
  return { kind: 'not-found', because } as const;
}

function unseen({ refusal }: ImsForbidden) {
  const because = `${refusal}, so what is still to be done is unknown. Ask the worker to book again where the label is missing, and the operator of the IMS to give the client api/full`;
  return { kind: 'not-allowed', because } as const;
}

interface Unseen {
  readonly documentId: string;
  readonly shipmentId: string | null;
  readonly error: ImsForbidden;
}

/** A document that we may not read may be in our records. */
async function judgeUnseen(
  context: BookingContext,
  area: Area,
  { documentId, shipmentId, error }: Unseen,
): Promise<FoundInIms> {
  const record = (await knownDocuments(context.database, area.contextId, [documentId])).get(documentId);
  return { documentId, shipmentId, verdict: record ? aboutKnown(record) : unseen(error) };
}

/** `null` for a wrong id, and a result of its own for what our access does not show. */
async function readable<Result>(load: () => Promise<Result>): Promise<Result | ImsForbidden | null> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof ImsForbidden) return error;
    if (isNotThere(error)) return null;
    throw error;
  }
}

interface Documents {
  readonly documents: readonly ImsDocument[];
  readonly shipmentOf: (document: ImsDocument) => ImsShipment | null;
}

async function judgeDocuments(context: BookingContext, area: Area, { documents, shipmentOf }: Documents) {
  const ids = documents.map((document) => document.id);
  const known = await knownDocuments(context.database, area.contextId, ids);
  const events = await eventsOf(
    context,
    documents.map((document) => document.documentCreatedEventId),
  );
  const ours = oursIn(context, area);
  return documents.map((document): FoundInIms => {
    const shipment = shipmentOf(document);
    const record = known.get(document.id);
    const heard = events.has(document.documentCreatedEventId ?? '');
    const about = { documentId: document.id, shipmentId: shipment?.id ?? null };
    if (record) return { ...about, verdict: verdictOnKnown(document, record) };
    return { ...about, verdict: heard ? HEARD : verdictOnUnknown(document, shipment, ours) };
  });
}

async function judgeShipments(context: BookingContext, area: Area, shipments: readonly ImsShipment[]) {
  const ids = shipments.map((shipment) => shipment.id);
  const chosenFor = await shipmentsChosenFor(context.database, area.contextId, ids);
  const events = await eventsOf(
    context,
    shipments.map((shipment) => shipment.shipmentCreatedEventId),
  );
  const ours = oursIn(context, area);
  return shipments.map((shipment): FoundInIms => {
    const heard = chosenFor.has(shipment.id) || events.has(shipment.shipmentCreatedEventId ?? '');
    const unheard = verdictOnShipment(shipment, ours);
    const verdict = heard && unheard.kind === 'recover' ? HEARD : unheard;
    return { documentId: null, shipmentId: shipment.id, verdict };
  });
}

const HEARD: ReconciliationVerdict = { kind: 'known', because: 'its event came' };

function eventsOf(context: BookingContext, ids: readonly (string | null)[]): Promise<ReadonlySet<string>> {
  return knownEvents(
    context.database,
    ids.flatMap((id) => id ?? []),
  );
}
