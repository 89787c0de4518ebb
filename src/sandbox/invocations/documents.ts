import { INCOTERMS } from '../schema/enums.js';
import { DATE, ID, IDS, DECIMAL, TEXT, enumType } from '../schema/fields.js';
import type { Ims } from '../ims.js';
import { FULL, PURCHASING, SALES } from '../api/endpoint.js';
import type { JsonMembers } from '../store/json.js';
import { isJsonArray } from '../store/json.js';
import { find, show } from '../store/kind.js';
import { ImsRefusal } from '../api/refusal.js';
import { createDocument, documents } from '../resources/documents.js';
import { inboundShipments, returnShipments } from '../resources/inbound.js';
import { globalTradeItems } from '../resources/items.js';
import { refuseClosed } from '../resources/shipment-lines.js';
import { reserve, shipments } from '../resources/shipments.js';
import { stockTakings } from '../resources/stock-books.js';
import { itemsDue } from '../resources/work-lists.js';
import { post } from '../stock/post.js';
import { linesOf } from '../stock/reserve.js';
import type { DocumentRow, Row, ShipmentLineRow, ShipmentRow, TransactionRow } from '../store/store.js';
import type { InvocationCall, Invocation } from './invocation.js';

type DocumentInvocation = Omit<Invocation, 'answers' | 'run'> & {
  readonly document: (ims: Ims, call: InvocationCall) => DocumentRow;
};

/** An invocation that creates a document and responds with it. */
function making({ document, ...invocation }: DocumentInvocation): Invocation {
  return {
    ...invocation,
    answers: documents.resource,
    run: (ims, call) => show(ims, documents, document(ims, call)),
  };
}

export const documentInvocations: readonly Invocation[] = [
  making({
    name: 'createDeliveryNote',
    scopes: [SALES, FULL],
    parameters: 'CreateDeliveryNoteParameters',
    resource: 'Shipment',
    fields: { shipmentId: ID, postingDate: DATE },
    needed: ['shipmentId'],
    document: (ims, { contextId, given }) =>
      createDeliveryNote(ims, find(ims, shipments, { contextId, id: given['shipmentId'] }), given['postingDate']),
  }),
  making({
    name: 'createTransportBooking',
    scopes: [SALES, FULL],
    parameters: 'CreateTransportBookingParameters',
    resource: 'Shipment',
    fields: { shipmentId: ID },
    needed: ['shipmentId'],
    document: (ims, { contextId, given }) =>
      createTransportBooking(ims, find(ims, shipments, { contextId, id: given['shipmentId'] })),
  }),
  making({
    name: 'createCostOfSalesList',
    scopes: [SALES, FULL],
    parameters: 'CreateCostOfSalesListParameters',
    resource: 'Document',
    fields: {
      contextId: ID,
      postingDate: DATE,
      shipmentNumber: TEXT,
      sellerNumber: TEXT,
      consignmentNoteNumber: DECIMAL,
      incoterms: enumType(INCOTERMS),
    },
    needed: ['contextId'],
    document: createCostOfSalesList,
  }),
  making({
    name: 'createReturnReceipt',
    scopes: [SALES, FULL],
    parameters: 'CreateReturnReceiptParameters',
    resource: 'ReturnShipment',
    fields: { returnShipmentId: ID, postingDate: DATE },
    needed: ['returnShipmentId'],
    document: createReturnReceipt,
  }),
  making({
    name: 'createGoodsReceipt',
    scopes: [PURCHASING, FULL],
    parameters: 'CreateGoodsReceiptParameters',
    resource: 'InboundShipment',
    fields: { inboundShipmentId: ID, postingDate: DATE },
    needed: ['inboundShipmentId'],
    document: createGoodsReceipt,
  }),
  making({
    name: 'createOrderProposal',
    scopes: [PURCHASING, FULL],
    parameters: 'CreateOrderProposalParameters',
    resource: 'Document',
    fields: { contextId: ID, globalTradeItemIds: IDS },
    needed: ['contextId'],
    document: createOrderProposal,
  }),
  making({
    name: 'createAdjustmentList',
    scopes: [SALES, PURCHASING, FULL],
    parameters: 'CreateAdjustmentListParameters',
    resource: 'StockTaking',
    fields: { stockTakingId: ID, postingDate: DATE },
    needed: ['stockTakingId'],
    document: createAdjustmentList,
  }),
];

/**
 * Creates a document that requests labels for a shipment. A shipment may have several; its fields refer to the newest.
 * @throws ImsRefusal when the shipment is cancelled
 */
export function createTransportBooking(ims: Ims, shipment: ShipmentRow): DocumentRow {
  refuseCancelled(shipment);
  const { id: shipmentId, contextId, carrierName } = shipment;
  return createDocument(ims, {
    contextId,
    documentType: 'TRANSPORT_BOOKING',
    shipmentIds: [shipmentId],
    detail: { shipmentId, ...(typeof carrierName === 'string' ? { carrierName } : {}) },
  });
}

/**
 * Ends the packing of a shipment. Pieces that were not packed lose their reservation, until the delivery note is
 * cancelled.
 */
export function createDeliveryNote(ims: Ims, shipment: ShipmentRow, postingDate?: JsonMembers[string]): DocumentRow {
  refuseClosed(shipment);
  const { id: shipmentId, contextId, shipmentNumber } = shipment;
  const document = createDocument(ims, {
    contextId,
    documentType: 'DELIVERY_NOTE',
    shipmentIds: [shipmentId],
    postingDate,
    detail: { shipmentId, shipmentNumber },
  });
  const isAbandoned = (line: ShipmentLineRow) => !line.abandoned && line.numItemsPacked < line.numItemsOrdered;
  const abandoned = linesOf(ims, shipment).filter(isAbandoned);
  for (const line of abandoned) ims.store.shipmentLines.put({ ...line, abandoned: true });
  reserve(ims, ims.store.shipments.byId(shipmentId) ?? shipment);
  return ims.store.documents.put({ ...document, about: { abandonedLineIds: abandoned.map((line) => line.id) } });
}

/**
 * The carrier collects these shipments; `null`: all packed shipments that no carrier has collected. @throws ImsRefusal
 * when there is none, or one is cancelled
 */
export function createConsignmentNote(ims: Ims, contextId: number, ids: readonly number[] | null): DocumentRow {
  const chosen =
    ids === null
      ? ims.store.shipments.in(contextId).filter(waitsForCarrier)
      : ids.map((id) => find(ims, shipments, { contextId, id }));
  if (chosen.length === 0) throw new ImsRefusal('invalid', 'Document', 'No shipment waits for its carrier.');
  for (const shipment of chosen) refuseCancelled(shipment);
  const shipmentIds = chosen.map((shipment) => shipment.id);
  const documentType = 'CONSIGNMENT_NOTE';
  return createDocument(ims, { contextId, documentType, shipmentIds, detail: { shipmentIds } });
}

function waitsForCarrier(shipment: ShipmentRow): boolean {
  const { cancelled, deliveryNoteId, consignmentNoteId } = shipment;
  return cancelled !== true && typeof deliveryNoteId === 'number' && typeof consignmentNoteId !== 'number';
}

function refuseCancelled(shipment: ShipmentRow): void {
  if (shipment.cancelled === true)
    throw new ImsRefusal('invalid', 'Shipment', `Shipment ${shipment.shipmentNumber} is cancelled.`);
}

/**
 * Posts the stock movements of the shipments that match the parameters and have a delivery note, as far as they are not
 * posted yet.
 */
function createCostOfSalesList(ims: Ims, { contextId, given }: InvocationCall): DocumentRow {
  refuseOtherArea(contextId, given);
  const names = ['shipmentNumber', 'sellerNumber', 'consignmentNoteNumber', 'incoterms'];
  const wanted = names.filter((name) => (given[name] ?? null) !== null);
  const isChosen = (shipment: Row) =>
    (shipment['deliveryNoteId'] ?? null) !== null && wanted.every((name) => shipment[name] === given[name]);
  const chosen = ims.store.shipments.in(contextId).filter(isChosen);
  const movements = chosen
    .flatMap(({ id }) => ims.store.transactions.where(contextId, 'shipmentId', id))
    .filter(isOpen);
  const shipmentIds = [...new Set(movements.map((row) => Number(row['shipmentId'])))];
  const documentType = 'COST_OF_SALES_LIST';
  const { postingDate } = given;
  const document = createDocument(ims, { contextId, documentType, shipmentIds, postingDate, detail: {} });
  post(ims, document, movements);
  return document;
}

/**
 * The receipt covers the received pieces that are in no receipt yet. Pieces that arrive later get a receipt of their
 * own.
 */
function createGoodsReceipt(ims: Ims, { contextId, given }: InvocationCall): DocumentRow {
  const shipment = find(ims, inboundShipments, { contextId, id: given['inboundShipmentId'] });
  const { id: inboundShipmentId, inboundShipmentNumber = null } = shipment;
  const movements = ims.store.transactions.where(contextId, 'inboundShipmentId', inboundShipmentId);
  if (!movements.some(isOpen)) refuseSecond(shipment, 'InboundShipment', 'goodsReceiptId');
  refuseCancelledDelivery(shipment, 'InboundShipment');
  const document = createDocument(ims, {
    contextId,
    documentType: 'GOODS_RECEIPT',
    about: { inboundShipmentId },
    postingDate: given['postingDate'],
    detail: { inboundShipmentId, inboundShipmentNumber },
  });
  post(ims, document, movements);
  return document;
}

function createReturnReceipt(ims: Ims, { contextId, given }: InvocationCall): DocumentRow {
  const shipment = find(ims, returnShipments, { contextId, id: given['returnShipmentId'] });
  const { id: returnShipmentId, returnShipmentNumber = null } = shipment;
  const movements = ims.store.transactions.where(contextId, 'returnShipmentId', returnShipmentId);
  if (!movements.some(isOpen)) refuseSecond(shipment, 'ReturnShipment', 'returnReceiptId');
  refuseCancelledDelivery(shipment, 'ReturnShipment');
  const document = createDocument(ims, {
    contextId,
    documentType: 'RETURN_RECEIPT',
    about: { returnShipmentId },
    postingDate: given['postingDate'],
    detail: { returnShipmentId, returnShipmentNumber },
  });
  post(ims, document, movements);
  return document;
}

/**
 * Posts the stock movements of this stock taking, and those of its lots that belong to no stock taking, e.g. from the
 * creation of a lot.
 */
function createAdjustmentList(ims: Ims, { contextId, given }: InvocationCall): DocumentRow {
  const { id: stockTakingId, ...stockTaking } = find(ims, stockTakings, { contextId, id: given['stockTakingId'] });
  refuseSecond({ ...stockTaking, id: stockTakingId }, 'StockTaking', 'adjustmentListId');
  const document = createDocument(ims, {
    contextId,
    documentType: 'ADJUSTMENT_LIST',
    about: { stockTakingId },
    postingDate: given['postingDate'],
    detail: { stockTakingId },
  });
  const lines = ims.store.stockTakingLines.where(contextId, 'stockTakingId', stockTakingId);
  const lotIds = new Set(lines.map((line) => Number(line['globalTradeItemLotId'])));
  const movements = [...lotIds].flatMap((id) => ims.store.transactions.where(contextId, 'globalTradeItemLotId', id));
  const isOurs = (row: TransactionRow) => (row['stockTakingId'] ?? stockTakingId) === stockTakingId;
  post(
    ims,
    document,
    movements.filter((row) => row.transactionType === 'STOCK_TAKING' && isOurs(row) && isOpen(row)),
  );
  return document;
}

/** Proposes to order the given items; without a list, all items that are below their reorder level. */
function createOrderProposal(ims: Ims, { contextId, given }: InvocationCall): DocumentRow {
  refuseOtherArea(contextId, given);
  const { globalTradeItemIds: ids } = given;
  const items = isJsonArray(ids)
    ? ids.map((id) => find(ims, globalTradeItems, { contextId, id }).id)
    : itemsDue(ims, contextId);
  const documentType = 'ORDER_PROPOSAL';
  return createDocument(ims, { contextId, documentType, about: { globalTradeItemIds: items }, detail: {} });
}

function isOpen(row: TransactionRow): boolean {
  return row.numItems !== row.numItemsPosted;
}

function refuseOtherArea(contextId: number, given: JsonMembers): void {
  if (given['contextId'] !== contextId)
    throw new ImsRefusal(
      'unknown',
      'Context',
      `There is no Context with id ${String(given['contextId'])} in this area.`,
    );
}

function refuseCancelledDelivery(shipment: Row, resource: string): void {
  if (shipment['cancelled'] === true)
    throw new ImsRefusal('invalid', resource, `${resource} ${shipment.id} is cancelled.`);
}

function refuseSecond(row: Row | JsonMembers, resource: string, field: string): void {
  if ((row[field] ?? null) !== null)
    throw new ImsRefusal('invalid', resource, `${resource} ${String(row['id'])} has this document already.`);
}
