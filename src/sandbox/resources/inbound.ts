import {
  inboundShipmentFields,
  inboundShipmentLineFields,
  returnShipmentFields,
  returnShipmentLineFields,
} from '../schema/inbound-fields.js';
import type { Ims, Kind } from '../ims.js';
import type { Json, JsonMembers } from '../store/json.js';
import { isJsonArray, membersOf } from '../store/json.js';
import { createRow, show } from '../store/kind.js';
import { takeNumber } from '../store/numbers.js';
import { ImsRefusal, forEachOf } from '../api/refusal.js';
import type { ReceivableLineRow, Row } from '../store/store.js';

const OF_ITEM = ['productId', 'productNumber', 'productName', 'productVariantKey', 'globalTradeItemNumber'].concat(
  'numUnitsContained',
  'productUnit',
);

export const inboundShipments: Kind = {
  resource: {
    name: 'InboundShipment',
    fields: inboundShipmentFields,
    unique: ['inboundShipmentNumber'],
    references: [{ id: 'supplierId', key: 'supplierNumber', to: 'Supplier', needed: true }],
    defaults: { onHold: false, cancelled: false },
  },
  table: (store) => store.inboundShipments,
  creating: (ims, contextId, { given }) => ({
    inboundShipmentNumber: given['inboundShipmentNumber'] ?? takeNumber(ims, contextId, 'inboundShipmentNumber'),
  }),
  created: (ims, row, body) => {
    const { id: inboundShipmentId, contextId } = row;
    const name = 'inboundShipmentLines';
    forEachOf(name, linesIn('InboundShipment', body, name), (line) => {
      createRow(ims, inboundShipmentLines, contextId, { ...membersOf(line), inboundShipmentId });
    });
    const type = 'inboundShipmentCreated';
    const inboundShipmentCreatedEventId = ims.events.emit({ contextId, type, detail: { inboundShipmentId } });
    ims.store.inboundShipments.put({ ...row, inboundShipmentCreatedEventId });
  },
  changing: (ims, row, changes) => {
    if (changes['cancelled'] === true) refuseReceived(inboundShipments, row, inboundLinesOf(ims, row));
    return {};
  },
  removing: (ims, row) => {
    const lines = inboundLinesOf(ims, row);
    refuseReceived(inboundShipments, row, lines);
    for (const line of lines) ims.store.inboundShipmentLines.remove(line);
  },
  computed: (ims, row) => ({
    supplierAddress: row['supplierAddress'] ?? ims.store.suppliers.byId(Number(row['supplierId']))?.['address'],
    purchaseStatus: purchaseStatus(row),
  }),
  children: (ims, row) => ({
    inboundShipmentLines: inboundLinesOf(ims, row).map((line) => show(ims, inboundShipmentLines, line)),
  }),
};

export const inboundShipmentLines: Kind<ReceivableLineRow> = {
  resource: {
    name: 'InboundShipmentLine',
    fields: inboundShipmentLineFields,
    needed: ['numItemsExpected'],
    references: [
      { id: 'inboundShipmentId', key: 'inboundShipmentNumber', to: 'InboundShipment', needed: true },
      {
        id: 'globalTradeItemId',
        key: 'stockKeepingUnit',
        to: 'GlobalTradeItem',
        needed: true,
        shows: [...OF_ITEM, 'harmonizedSystemCode', 'standardCostPrice', 'productLine', 'brand', 'design', 'season'],
      },
    ],
    defaults: { numItemsReceived: 0 },
  },
  table: (store) => store.inboundShipmentLines,
  creating: (ims, contextId, { given }) => {
    const shipment = ims.store.inboundShipments.find(contextId, Number(given['inboundShipmentId']));
    if (shipment !== null) refuseOver(shipment);
    return {};
  },
};

export const returnShipments: Kind = {
  resource: {
    name: 'ReturnShipment',
    fields: returnShipmentFields,
    unique: ['returnShipmentNumber'],
    references: [
      { id: 'customerId', key: 'customerNumber', to: 'Customer', needed: true },
      { id: 'shipmentId', key: 'shipmentNumber', to: 'Shipment' },
    ],
    defaults: { onHold: false, cancelled: false },
  },
  table: (store) => store.returnShipments,
  creating: (ims, contextId, { given }) => ({
    returnShipmentNumber: given['returnShipmentNumber'] ?? takeNumber(ims, contextId, 'returnShipmentNumber'),
  }),
  created: (ims, row, body) => {
    const { id: returnShipmentId, contextId } = row;
    const name = 'returnShipmentLines';
    forEachOf(name, linesIn('ReturnShipment', body, name), (line) => {
      createRow(ims, returnShipmentLines, contextId, { ...membersOf(line), returnShipmentId });
    });
    ims.events.emit({ contextId, type: 'returnShipmentCreated', detail: { returnShipmentId } });
  },
  changing: (ims, row, changes) => {
    if (changes['cancelled'] === true) refuseReceived(returnShipments, row, returnLinesOf(ims, row));
    return {};
  },
  removing: (ims, row) => {
    const lines = returnLinesOf(ims, row);
    refuseReceived(returnShipments, row, lines);
    for (const line of lines) ims.store.returnShipmentLines.remove(line);
  },
  computed: (ims, row) => ({ customerAddress: ims.store.customers.byId(Number(row['customerId']))?.['address'] }),
  children: (ims, row) => ({
    returnShipmentLines: returnLinesOf(ims, row).map((line) => show(ims, returnShipmentLines, line)),
  }),
};

export const returnShipmentLines: Kind<ReceivableLineRow> = {
  resource: {
    name: 'ReturnShipmentLine',
    // A client creates the line with its return shipment, whose id the line gets then.
    fields: { ...returnShipmentLineFields, returnShipmentId: { kind: 'number', set: 'on-create', always: true } },
    references: [
      {
        id: 'returnShipmentId',
        key: 'returnShipmentNumber',
        to: 'ReturnShipment',
        needed: true,
        shows: ['customerId', 'customerNumber'],
      },
      { id: 'globalTradeItemId', key: 'stockKeepingUnit', to: 'GlobalTradeItem', needed: true, shows: OF_ITEM },
    ],
    defaults: { numItemsReceived: 0 },
  },
  table: (store) => store.returnShipmentLines,
};

export function inboundLinesOf(ims: Pick<Ims, 'store'>, row: Row): readonly ReceivableLineRow[] {
  return ims.store.inboundShipmentLines.where(row.contextId, 'inboundShipmentId', row.id);
}

export function returnLinesOf(ims: Pick<Ims, 'store'>, row: Row): readonly ReceivableLineRow[] {
  return ims.store.returnShipmentLines.where(row.contextId, 'returnShipmentId', row.id);
}

function refuseOver(row: Row): void {
  const text = `InboundShipment ${String(row['inboundShipmentNumber'])}`;
  if (row['cancelled'] === true) throw new ImsRefusal('invalid', 'InboundShipment', `${text} is cancelled.`);
  if ((row['goodsReceiptId'] ?? null) !== null)
    throw new ImsRefusal('invalid', 'InboundShipment', `${text} has its goods receipt already.`);
}

function refuseReceived({ resource: { name } }: Kind, row: Row, lines: readonly ReceivableLineRow[]): void {
  const receipt = row['goodsReceiptId'] ?? row['returnReceiptId'] ?? null;
  if (receipt !== null) throw new ImsRefusal('invalid', name, `${name} ${row.id} has its receipt already.`);
  if (lines.some((line) => line.numItemsReceived > 0))
    throw new ImsRefusal('invalid', name, `Some of ${name} ${row.id} has been received.`);
}

function linesIn(resource: string, body: Json, name: string): readonly Json[] {
  const lines = membersOf(body)[name] ?? [];
  if (!isJsonArray(lines)) throw new ImsRefusal('invalid', resource, `${name} must be a list.`);
  return lines;
}

function purchaseStatus(row: JsonMembers): string {
  if (row['cancelled'] === true) return 'CANCELLED';
  if (row['onHold'] === true) return 'ON_HOLD';
  if ((row['goodsReceiptId'] ?? null) !== null) return 'RECEIVED';
  return (row['purchaseOrderId'] ?? null) === null ? 'NEW' : 'ORDERED';
}
