import { REFERENCES, cancelDocument, createDocument, presentDocument } from './documents.js';
import type { Endpoint, Ims, ImsRequest } from './endpoint.js';
import { FULL, SALES, rowOfId } from './endpoint.js';
import type { Json } from './json.js';
import { isJsonArray, isJsonObject, membersOf } from './json.js';
import { Refusal } from './refusal.js';
import type { DocumentRow, PrintRow, ShipmentRow } from './store.js';

export function invocationEndpoints(ims: Ims): readonly Endpoint[] {
  const invocation = (name: string, scopes: readonly string[], run: (request: ImsRequest) => Json): Endpoint => ({
    method: 'post',
    path: `/invocations/${name}`,
    scopes,
    handle: run,
  });
  return [
    invocation('createTransportBooking', [SALES, FULL], (r) =>
      presentDocument(ims, createTransportBooking(ims, shipmentOf(ims, r))),
    ),
    invocation('createDeliveryNote', [SALES, FULL], (r) => presentDocument(ims, createDeliveryNote(ims, r))),
    // An assumption: neither path nor scopes of these two are described; only what they take is known.
    invocation('createConsignmentNote', [SALES, FULL], (r) => presentDocument(ims, createConsignmentNote(ims, r))),
    invocation('cancelDocument', [SALES, FULL], (r) => presentDocument(ims, cancelDocument(ims, documentOf(ims, r)))),
    invocation('printDocument', [FULL], (r) => printDocument(ims, r)),
    invocation('printResource', [FULL], (r) => printResource(ims, r)),
  ];
}

/**
 * Asks for labels of a shipment. There may be several such documents for one shipment; it refers to the newest.
 * @throws Refusal when the shipment is cancelled
 */
export function createTransportBooking(ims: Ims, shipment: ShipmentRow): DocumentRow {
  refuseCancelled(shipment);
  const { id: shipmentId, contextId, carrierName } = shipment;
  const document = createDocument(ims, {
    contextId,
    documentType: 'TRANSPORT_BOOKING',
    shipmentIds: [shipmentId],
    detail: { shipmentId, ...(typeof carrierName === 'string' ? { carrierName } : {}) },
  });
  refer(ims, document);
  return document;
}

function createDeliveryNote(ims: Ims, request: ImsRequest): DocumentRow {
  const shipment = shipmentOf(ims, request);
  refuseCancelled(shipment);
  const { id: shipmentId, contextId, shipmentNumber } = shipment;
  if (typeof shipment.deliveryNoteId === 'number')
    throw new Refusal('invalid', 'Shipment', `Shipment ${shipmentNumber} has a delivery note already.`);
  const { postingDate } = membersOf(request.body);
  const document = createDocument(ims, {
    contextId,
    documentType: 'DELIVERY_NOTE',
    shipmentIds: [shipmentId],
    detail: { shipmentId, shipmentNumber },
    ...(typeof postingDate === 'string' ? { postingDate } : {}),
  });
  refer(ims, document);
  return document;
}

/** Without `shipmentIds`: everything that is packed and waits. */
function createConsignmentNote(ims: Ims, request: ImsRequest): DocumentRow {
  const { contextId } = request;
  const { shipmentIds: given } = membersOf(request.body);
  const shipments = isJsonArray(given)
    ? given.map((id) => rowOfId(ims.store.shipments, contextId, { resource: 'Shipment', id }))
    : ims.store.shipments.in(contextId).filter(waitsForCarrier);
  if (shipments.length === 0) throw new Refusal('invalid', 'Document', 'No shipment waits for its carrier.');
  const shipmentIds = shipments.map((shipment) => shipment.id);
  const documentType = 'CONSIGNMENT_NOTE';
  const document = createDocument(ims, { contextId, documentType, shipmentIds, detail: { shipmentIds } });
  refer(ims, document);
  return document;
}

function waitsForCarrier(shipment: ShipmentRow): boolean {
  const { cancelled, deliveryNoteId, consignmentNoteId } = shipment;
  return cancelled !== true && typeof deliveryNoteId === 'number' && typeof consignmentNoteId !== 'number';
}

function refer(ims: Ims, document: DocumentRow): void {
  const reference = REFERENCES[document.documentType];
  for (const shipmentId of document.shipmentIds) {
    const shipment = rowOfId(ims.store.shipments, document.contextId, { resource: 'Shipment', id: shipmentId });
    ims.store.shipments.put({
      ...shipment,
      [`${reference}Id`]: document.id,
      [`${reference}Number`]: document.documentNumber,
      [`${reference}TimeCreated`]: document['timeCreated'],
    });
  }
}

function refuseCancelled(shipment: ShipmentRow): void {
  if (shipment.cancelled === true)
    throw new Refusal('invalid', 'Shipment', `Shipment ${shipment.shipmentNumber} is cancelled.`);
}

function printDocument(ims: Ims, request: ImsRequest): Json {
  const { documentId } = membersOf(request.body);
  const document = rowOfId(ims.store.documents, request.contextId, { resource: 'Document', id: documentId });
  keepPrint(ims, request, 'printDocument');
  return presentDocument(ims, document);
}

/** What its body must hold is not described: any object will do. */
function printResource(ims: Ims, request: ImsRequest): Json {
  if (!isJsonObject(request.body)) throw new Refusal('invalid', 'Resource', 'The body must be a JSON object.');
  keepPrint(ims, request, 'printResource');
  return { fieldOfALaterVersion: 'not described anywhere' };
}

function keepPrint(ims: Ims, request: ImsRequest, invocation: PrintRow['invocation']): void {
  ims.store.prints.put({ id: ims.store.nextId(), contextId: request.contextId, invocation, body: request.body });
}

function shipmentOf(ims: Ims, request: ImsRequest): ShipmentRow {
  const { shipmentId } = membersOf(request.body);
  return rowOfId(ims.store.shipments, request.contextId, { resource: 'Shipment', id: shipmentId });
}

function documentOf(ims: Ims, request: ImsRequest): DocumentRow {
  const { documentType, documentNumber } = membersOf(request.body);
  const document = ims.store.documents
    .in(request.contextId)
    .find((row) => row.documentType === documentType && row.documentNumber === documentNumber);
  if (document === undefined)
    throw new Refusal(
      'unknown',
      'Document',
      `There is no ${String(documentType)} ${String(documentNumber)} in this area.`,
    );
  return document;
}
