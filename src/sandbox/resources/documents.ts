import { documentFields } from '../schema/documents-fields.js';
import type { Ims, Kind } from '../ims.js';
import { timestamp } from '../schema/dates.js';
import type { Json, JsonMembers } from '../store/json.js';
import { ImsRefusal } from '../api/refusal.js';
import { unpost } from '../stock/post.js';
import type { DocumentRow, DocumentSubject, Row, Table } from '../store/store.js';
import type { Switches } from '../control/switches.js';
import { reserve } from './shipments.js';

export const documents: Kind<DocumentRow> = {
  resource: { name: 'Document', fields: documentFields, localKey: 'documentNumber' },
  table: (store) => store.documents,
  changing: (ims, row, changes) => {
    const issue = issueIn(row, changes, ims.switches());
    if (issue !== null) throw new ImsRefusal('invalid', 'Document', issue);
    return {};
  },
};

function issueIn(row: DocumentRow, changes: JsonMembers, switches: Switches): string | null {
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
  readonly documentType: string;
  readonly shipmentIds?: readonly number[];
  readonly about?: DocumentSubject;
  /** `YYYY-MM-DD`. */
  readonly postingDate?: Json | undefined;
  /** Further fields of the event's detail. */
  readonly detail: Readonly<Record<string, Json>>;
}

/** Stores a document, sets the references to it in the rows that it is about, and sends `documentCreated`. */
export function createDocument(ims: Ims, wanted: NewDocument): DocumentRow {
  const { contextId, documentType, shipmentIds = [], about = {} } = wanted;
  const id = ims.store.nextId();
  const timeCreated = timestamp(ims);
  const documentNumber = 1 + ims.store.documents.where(contextId, 'documentType', documentType).length;
  const eventId = ims.events.emit({
    contextId,
    type: 'documentCreated',
    detail: { documentId: id, documentType, ...wanted.detail },
  });
  const document = ims.store.documents.put({
    id,
    contextId,
    documentType,
    documentNumber,
    shipmentIds,
    about,
    timeCreated,
    postingDate: wanted.postingDate ?? timeCreated.slice(0, 'yyyy-MM-dd'.length),
    cancelled: false,
    workStatus: 'PENDING',
    documentCreatedEventId: eventId,
  });
  refer(ims, document, { id, number: documentNumber, timeCreated });
  return document;
}

/**
 * Cancels a document, clears the references to it, reverses its postings and sends `documentCancelled`.
 * @throws ImsRefusal when it is cancelled already
 */
export function cancelDocument(ims: Ims, row: DocumentRow): DocumentRow {
  if (row.cancelled)
    throw new ImsRefusal('invalid', 'Document', `Document ${row.documentNumber} is cancelled already.`);
  const { id: documentId, documentType, contextId } = row;
  refer(ims, row, null);
  unpost(ims, row);
  const [shipmentId, more] = row.shipmentIds;
  const detail = {
    documentId,
    documentType,
    ...(shipmentId === undefined || more !== undefined ? {} : { shipmentId }),
  };
  const eventId = ims.events.emit({ contextId, type: 'documentCancelled', detail });
  const cancelled = ims.store.documents.put({
    ...row,
    cancelled: true,
    workStatus: 'CANCELLED',
    timeCancelled: timestamp(ims),
    documentCancelledEventId: eventId,
  });
  // A shipment without a delivery note can be packed again.
  if (documentType === 'DELIVERY_NOTE') reopen(ims, row);
  return cancelled;
}

/** Makes the lines that the delivery note abandoned packable again, and renews the shipments' reservations. */
function reopen(ims: Ims, { shipmentIds, about: { abandonedLineIds = [] } }: DocumentRow): void {
  for (const id of abandonedLineIds) {
    const line = ims.store.shipmentLines.byId(id);
    if (line !== null) ims.store.shipmentLines.put({ ...line, abandoned: false });
  }
  for (const id of shipmentIds) {
    const shipment = ims.store.shipments.byId(id);
    if (shipment !== null) reserve(ims, shipment);
  }
}

/** Document type to the prefix of the fields that refer to such a document. */
const REFERENCES: Readonly<Record<string, string>> = {
  TRANSPORT_BOOKING: 'transportBooking',
  DELIVERY_NOTE: 'deliveryNote',
  CONSIGNMENT_NOTE: 'consignmentNote',
  PICKING_LIST: 'pickingList',
  COST_OF_SALES_LIST: 'costOfSalesList',
  GOODS_RECEIPT: 'goodsReceipt',
  COST_VARIANCE_LIST: 'costVarianceList',
  PURCHASE_ORDER: 'purchaseOrder',
  REQUEST_FOR_QUOTATION: 'requestForQuotation',
  RETURN_RECEIPT: 'returnReceipt',
  ADJUSTMENT_LIST: 'adjustmentList',
  STOCK_TAKING_LIST: 'stockTakingList',
};

interface Referred {
  readonly id: number;
  readonly number: number;
  readonly timeCreated: string;
}

/**
 * Sets the references to a document in the rows that it is about. `null` clears them in rows that still refer to this
 * document.
 */
function refer(ims: Ims, document: DocumentRow, to: Referred | null): void {
  const name = REFERENCES[document.documentType];
  if (name === undefined) return;
  const { id, number, timeCreated } = to ?? { id: null, number: null, timeCreated: null };
  const fields = { [`${name}Id`]: id, [`${name}Number`]: number, [`${name}TimeCreated`]: timeCreated };
  for (const [table, subject] of subjectsOf(ims, document)) {
    const row = table.byId(subject);
    const isMeant = row !== null && (to !== null || row[`${name}Id`] === document.id);
    if (isMeant) table.put({ ...row, ...fields });
  }
}

function subjectsOf({ store }: Ims, document: DocumentRow): readonly (readonly [Table<Row>, number])[] {
  const { inboundShipmentId, returnShipmentId, stockTakingId } = document.about;
  const { shipments, inboundShipments, returnShipments, stockTakings } = store;
  const others: readonly (readonly [Table<Row>, number | undefined])[] = [
    [inboundShipments, inboundShipmentId],
    [returnShipments, returnShipmentId],
    [stockTakings, stockTakingId],
  ];
  return [
    ...document.shipmentIds.map((id) => [shipments, id] as const),
    ...others.flatMap(([table, id]) => (id === undefined ? [] : [[table, id] as const])),
  ];
}
