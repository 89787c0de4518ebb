import { attach } from './attachments.js';
import type { Endpoint, Ims, ImsRequest } from './endpoint.js';
import { ACCOUNTING, FULL, PURCHASING, SALES, rowOfPath, timestamp } from './endpoint.js';
import { readChanges } from './field-rules.js';
import type { Json, JsonObject } from './json.js';
import type { Filters } from './lists.js';
import { filterRows, pageOf } from './lists.js';
import { present } from './present.js';
import { Refusal } from './refusal.js';
import { documentShape } from './shapes.js';
import type { DocumentRow } from './store.js';
import type { Switches } from './switches.js';

const filters: Filters<DocumentRow> = {
  only: { onlyCancelled: (document) => document.cancelled, onlyNotCancelled: (document) => !document.cancelled },
  equal: { documentType: 'documentType', workStatus: 'workStatus', documentNumber: 'documentNumber' },
  match: {},
};

export function documentEndpoints(ims: Ims): readonly Endpoint[] {
  const one = (request: ImsRequest) => rowOfPath(ims.store.documents, request, 'Document');
  return [
    { method: 'get', path: '/documents', scopes: [SALES, PURCHASING, FULL], handle: (r) => list(ims, r) },
    {
      method: 'get',
      path: '/documents/:id',
      scopes: [ACCOUNTING, SALES, PURCHASING, FULL],
      handle: (r) => presentDocument(ims, one(r)),
    },
    {
      method: 'patch',
      path: '/documents/:id',
      scopes: [FULL, SALES],
      handle: (r) => presentDocument(ims, change(ims, one(r), r.body)),
    },
    {
      method: 'post',
      path: '/documents/:id/attachments',
      scopes: [FULL],
      handle: (r) => attach(ims, { of: 'documents', row: one(r) }, r.body),
    },
    {
      method: 'post',
      path: '/shipments/:id/attachments',
      scopes: [FULL],
      handle: (r) => attach(ims, { of: 'shipments', row: rowOfPath(ims.store.shipments, r, 'Shipment') }, r.body),
    },
  ];
}

function list(ims: Ims, request: ImsRequest): Json {
  const { firstRowOrigin: origin } = ims.switches();
  const found = filterRows(ims.store.documents.in(request.contextId), request.query, filters);
  return pageOf(found, request.query, { resource: 'Document', origin }).map((row) => presentDocument(ims, row));
}

function change(ims: Ims, row: DocumentRow, body: Json): DocumentRow {
  const changes = readChanges(documentShape, body, row);
  const complaint = complaintAbout(row, changes, ims.switches());
  if (complaint !== null) throw new Refusal('invalid', 'Document', complaint);
  return ims.store.documents.put({ ...row, ...changes });
}

function complaintAbout(row: DocumentRow, changes: JsonObject, switches: Switches): string | null {
  const name = `Document ${row.documentNumber}`;
  const wanted = changes['workStatus'];
  if (row.cancelled && switches.refuseChangesOfCancelledDocument) return `${name} is cancelled.`;
  if (wanted === undefined) return null;
  if (row.workStatus === 'DONE' && switches.refuseChangesOfDoneDocument) return `${name} is done.`;
  if (row.workStatus === 'ON_GOING' && wanted === 'ON_GOING' && switches.refuseOngoingTwice)
    return `Work on ${name} has been started already.`;
  return null;
}

export interface NewDocument {
  readonly contextId: number;
  readonly documentType: 'TRANSPORT_BOOKING' | 'DELIVERY_NOTE' | 'CONSIGNMENT_NOTE';
  readonly shipmentIds: readonly number[];
  /** `YYYY-MM-DD`. */
  readonly postingDate?: string;
  /** What its event says besides. */
  readonly detail: Readonly<Record<string, Json>>;
}

/** Stores a document and sends `documentCreated`. */
export function createDocument(ims: Ims, wanted: NewDocument): DocumentRow {
  const { contextId, documentType, shipmentIds } = wanted;
  const id = ims.store.nextId();
  const timeCreated = timestamp(ims);
  const documentNumber =
    1 + ims.store.documents.in(contextId).filter((other) => other.documentType === documentType).length;
  const eventId = ims.events.emit({
    contextId,
    type: 'documentCreated',
    detail: { documentId: id, documentType, ...wanted.detail },
  });
  return ims.store.documents.put({
    id,
    contextId,
    documentType,
    documentNumber,
    shipmentIds,
    timeCreated,
    postingDate: wanted.postingDate ?? timeCreated.slice(0, 'yyyy-MM-dd'.length),
    cancelled: false,
    workStatus: 'PENDING',
    documentCreatedEventId: eventId,
  });
}

/**
 * Cancels a document, takes it off its shipments and sends `documentCancelled`.
 * @throws Refusal when it is cancelled already
 */
export function cancelDocument(ims: Ims, row: DocumentRow): DocumentRow {
  if (row.cancelled) throw new Refusal('invalid', 'Document', `Document ${row.documentNumber} is cancelled already.`);
  const { id: documentId, documentType, contextId } = row;
  const [shipmentId] = row.shipmentIds;
  const single = documentType !== 'CONSIGNMENT_NOTE' && shipmentId !== undefined;
  for (const shipment of row.shipmentIds) takeOff(ims, row, shipment);
  const eventId = ims.events.emit({
    contextId,
    type: 'documentCancelled',
    detail: { documentId, documentType, ...(single ? { shipmentId } : {}) },
  });
  return ims.store.documents.put({
    ...row,
    cancelled: true,
    workStatus: 'CANCELLED',
    timeCancelled: timestamp(ims),
    documentCancelledEventId: eventId,
  });
}

/** The fields by which a shipment refers to a document of each type. */
export const REFERENCES: Readonly<Record<string, string>> = {
  TRANSPORT_BOOKING: 'transportBooking',
  DELIVERY_NOTE: 'deliveryNote',
  CONSIGNMENT_NOTE: 'consignmentNote',
};

function takeOff(ims: Ims, document: DocumentRow, shipmentId: number): void {
  const shipment = ims.store.shipments.find(document.contextId, shipmentId);
  const reference = REFERENCES[document.documentType];
  if (shipment === null || reference === undefined || shipment[`${reference}Id`] !== document.id) return;
  const cleared = { [`${reference}Id`]: null, [`${reference}Number`]: null, [`${reference}TimeCreated`]: null };
  ims.store.shipments.put({ ...shipment, ...cleared });
}

export function presentDocument(ims: Ims, row: DocumentRow): JsonObject {
  return present(documentShape, row, ims.switches().nulls);
}
