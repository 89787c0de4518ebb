import { shipmentsToHandOver } from './control-checks.js';
import type { Ims } from '../ims.js';
import { createConsignmentNote, documentInvocations } from '../invocations/documents.js';
import { addLine, addStockTaking } from '../invocations/lots.js';
import type { Json, JsonMembers } from '../store/json.js';
import { find } from '../store/kind.js';
import { ImsRefusal } from '../api/refusal.js';
import { createDocument } from '../resources/documents.js';
import { inboundShipments, returnShipments } from '../resources/inbound.js';
import { globalTradeItems } from '../resources/items.js';
import { shipments } from '../resources/shipments.js';
import { stockTakings } from '../resources/stock-books.js';
import type { DocumentRow, DocumentSubject } from '../store/store.js';

/** A document as a worker makes it, e.g. `PICKING_LIST`, `PUT_AWAY_LIST`, `STOCK_TAKING_LIST`. */
export interface OtherDocument {
  /** `contextId` of its area. */
  readonly area: number;
  readonly documentType: string;
  readonly shipmentIds?: readonly number[];
  readonly inboundShipmentId?: number;
  readonly returnShipmentId?: number;
  /** Needed for an adjustment list. A stock taking list creates its own stock taking. */
  readonly stockTakingId?: number;
  /** For a stock taking list: the items whose lots are to be counted; all items when not given. */
  readonly globalTradeItemIds?: readonly number[];
}

/** Document types that the API creates by an invocation, which is used here too. */
const INVOCATIONS: Readonly<Record<string, string>> = {
  TRANSPORT_BOOKING: 'createTransportBooking',
  DELIVERY_NOTE: 'createDeliveryNote',
  GOODS_RECEIPT: 'createGoodsReceipt',
  RETURN_RECEIPT: 'createReturnReceipt',
  ADJUSTMENT_LIST: 'createAdjustmentList',
  ORDER_PROPOSAL: 'createOrderProposal',
  COST_OF_SALES_LIST: 'createCostOfSalesList',
};

/**
 * Creates a document as a worker would, and sends its event.
 * @throws ImsRefusal for an unknown id, or when an id that the document type needs is missing
 */
export function createOtherDocument(ims: Ims, other: OtherDocument): DocumentRow {
  const { area, documentType, shipmentIds = [] } = other;
  refuseUnknown(ims, other);
  const name = INVOCATIONS[documentType];
  if (name !== undefined) return createByInvocation(ims, name, other);
  if (documentType === 'CONSIGNMENT_NOTE')
    return createConsignmentNote(ims, area, shipmentsToHandOver(ims, area, shipmentIds));
  if (documentType === 'COST_VARIANCE_LIST' && other.inboundShipmentId === undefined)
    throw new ImsRefusal('invalid', 'Document', 'A COST_VARIANCE_LIST needs inboundShipmentId.');
  const about = subjectOf(ims, other);
  const detail = detailOf(ims, other, about);
  return createDocument(ims, { contextId: area, documentType, shipmentIds, about, detail });
}

function refuseUnknown(ims: Ims, other: OtherDocument): void {
  const { area: contextId, shipmentIds = [], globalTradeItemIds = [] } = other;
  const { inboundShipmentId, returnShipmentId, stockTakingId } = other;
  for (const id of shipmentIds) find(ims, shipments, { contextId, id });
  for (const id of globalTradeItemIds) find(ims, globalTradeItems, { contextId, id });
  if (inboundShipmentId !== undefined) find(ims, inboundShipments, { contextId, id: inboundShipmentId });
  if (returnShipmentId !== undefined) find(ims, returnShipments, { contextId, id: returnShipmentId });
  if (stockTakingId !== undefined) find(ims, stockTakings, { contextId, id: stockTakingId });
}

/** Checks that the parameters which the invocation needs are given, and runs it. */
function createByInvocation(ims: Ims, name: string, other: OtherDocument): DocumentRow {
  const { area: contextId, documentType, shipmentIds = [], ...subjects } = other;
  const [shipmentId, more] = shipmentIds;
  if (more !== undefined) throw new ImsRefusal('invalid', 'Document', `A ${documentType} is about one shipment.`);
  const given: JsonMembers = { ...subjects, ...(shipmentId === undefined ? {} : { shipmentId }), contextId };
  const invocation = documentInvocations.find((each) => each.name === name);
  const needed = invocation?.needed.find((field) => given[field] === undefined);
  if (needed !== undefined)
    throw new ImsRefusal(
      'invalid',
      'Document',
      `A ${documentType} needs ${needed === 'shipmentId' ? 'shipmentIds' : needed}.`,
    );
  const made = invocation?.run(ims, { contextId, given });
  const document = ims.store.documents.byId(Number(made?.['id']));
  if (document === null) throw new Error(`${name} made no document`);
  return document;
}

function subjectOf(ims: Ims, other: OtherDocument): DocumentSubject {
  const { documentType, inboundShipmentId, returnShipmentId, globalTradeItemIds } = other;
  const stockTakingId = documentType === 'STOCK_TAKING_LIST' ? planStockTaking(ims, other) : other.stockTakingId;
  return {
    ...(inboundShipmentId === undefined ? {} : { inboundShipmentId }),
    ...(returnShipmentId === undefined ? {} : { returnShipmentId }),
    ...(stockTakingId === undefined ? {} : { stockTakingId }),
    ...(globalTradeItemIds === undefined ? {} : { globalTradeItemIds }),
  };
}

/** The event's detail: ids and numbers of the shipments and the stock taking that the document is about. */
function detailOf(ims: Ims, { shipmentIds = [] }: OtherDocument, about: DocumentSubject) {
  const { inboundShipmentId, returnShipmentId, stockTakingId } = about;
  const [shipmentId] = shipmentIds.length === 1 ? shipmentIds : [];
  const inbound = inboundShipmentId === undefined ? null : ims.store.inboundShipments.byId(inboundShipmentId);
  const returned = returnShipmentId === undefined ? null : ims.store.returnShipments.byId(returnShipmentId);
  const named: Readonly<Record<string, Json | undefined>> = {
    ...{ shipmentId, inboundShipmentId, returnShipmentId, stockTakingId },
    inboundShipmentNumber: inbound?.['inboundShipmentNumber'],
    returnShipmentNumber: returned?.['returnShipmentNumber'],
  };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function planStockTaking(ims: Ims, { area, globalTradeItemIds }: OtherDocument): number {
  const stockTaking = addStockTaking(ims, area, 'PLANNED');
  const isMeant = (id: number) => globalTradeItemIds === undefined || globalTradeItemIds.includes(id);
  for (const lot of ims.store.lots.in(area)) if (isMeant(lot.globalTradeItemId)) addLine(ims, stockTaking, lot);
  return stockTaking.id;
}
