import { MAX_LINES, shipmentFields } from '../schema/outbound-fields.js';
import type { Ims, Kind } from '../ims.js';
import type { Json, JsonMembers } from '../store/json.js';
import { isJsonArray, membersOf } from '../store/json.js';
import { createRow, show } from '../store/kind.js';
import { takeNumber } from '../store/numbers.js';
import { ImsRefusal, forEachOf } from '../api/refusal.js';
import type { StockChange } from '../stock/change-stock.js';
import { changeStock, changedBySeller } from '../stock/change-stock.js';
import { undoDraws } from '../stock/draw.js';
import { dropReservation, linesOf, reserveLine } from '../stock/reserve.js';
import type { ShipmentLineRow, ShipmentRow } from '../store/store.js';
import { shipmentLines } from './shipment-lines.js';
import { containersOf, shippingContainers } from './shipping-containers.js';

export const shipments: Kind<ShipmentRow> = {
  resource: {
    name: 'Shipment',
    fields: shipmentFields,
    unique: ['shipmentNumber'],
    references: [
      { id: 'customerId', key: 'customerNumber', to: 'Customer', needed: true },
      { id: 'carrierId', key: 'carrierName', to: 'Carrier' },
      { id: 'sellerId', key: 'sellerNumber', to: 'Seller' },
    ],
    formerNames: { consignmentId: 'carriersShipmentNumber' },
    defaults: { onHold: false, cancelled: false, deliverToPickUpPoint: false },
  },
  table: (store) => store.shipments,
  creating: (ims, contextId, { given }) => ({
    shipmentNumber: given['shipmentNumber'] ?? takeNumber(ims, contextId, 'shipmentNumber'),
  }),
  created: (ims, row, body) => {
    forEachOf('shipmentLines', linesIn(body), (line) => {
      createRow(ims, shipmentLines, row.contextId, { ...membersOf(line), shipmentId: row.id });
    });
    const { id: shipmentId, contextId } = row;
    const shipmentCreatedEventId = ims.events.emit({ contextId, type: 'shipmentCreated', detail: { shipmentId } });
    reserve(ims, ims.store.shipments.put({ ...row, shipmentCreatedEventId }), { order: row });
  },
  changing: (_ims, row, changes) => {
    const cancels = changes['cancelled'] === true && row.cancelled !== true;
    if (cancels && typeof row.deliveryNoteId === 'number')
      throw new ImsRefusal('invalid', 'Shipment', `Shipment ${row.shipmentNumber} has a delivery note already.`);
    return {};
  },
  changed: (ims, before, after) => {
    if (before.cancelled !== after.cancelled) reserve(ims, after, changedBySeller(ims, after));
  },
  removing: (ims, row) => {
    if (typeof row.deliveryNoteId === 'number')
      throw new ImsRefusal('invalid', 'Shipment', `Shipment ${row.shipmentNumber} has a delivery note.`);
    changeStock(ims, { ...stockOf(ims, row), ...changedBySeller(ims, row) }, (move) => {
      for (const line of linesOf(ims, row)) {
        undoDraws(ims, move, line);
        dropReservation(ims, line);
        ims.store.shipmentLines.remove(line);
      }
    });
    for (const container of containersOf(ims, row)) ims.store.shippingContainers.remove(container);
  },
  computed: (ims, row) => {
    const lines = linesOf(ims, row);
    return { ...fromOthers(ims, row), ...fromLines(row, lines), shippingStatus: shippingStatus(row, lines) };
  },
  children: (ims, row) => ({
    shipmentLines: linesOf(ims, row).map((line) => show(ims, shipmentLines, line)),
    shippingContainers: inOrder(ims, containersOf(ims, row)).map((each) => show(ims, shippingContainers, each)),
  }),
};

/**
 * Updates the reservations of a shipment, and returns packed pieces of a cancelled shipment to their lots.
 * @param by the order, when its sales channel created or changed it; empty for changes by the warehouse
 */
export function reserve(ims: Ims, shipment: ShipmentRow, by: Pick<StockChange, 'order'> = {}): void {
  changeStock(ims, { ...stockOf(ims, shipment), ...by }, (move) => {
    if (shipment.cancelled === true) for (const line of linesOf(ims, shipment)) undoDraws(ims, move, line);
    for (const line of linesOf(ims, shipment)) reserveLine(ims, shipment, line);
  });
}

function stockOf(ims: Ims, shipment: ShipmentRow) {
  const { contextId } = shipment;
  return { contextId, itemIds: linesOf(ims, shipment).map((line) => line.globalTradeItemId) };
}

function linesIn(body: Json): readonly Json[] {
  const lines = membersOf(body)['shipmentLines'] ?? [];
  if (!isJsonArray(lines)) throw new ImsRefusal('invalid', 'Shipment', 'shipmentLines must be a list.');
  if (lines.length > MAX_LINES)
    throw new ImsRefusal('invalid', 'Shipment', `A shipment has at most ${MAX_LINES} lines.`);
  return lines;
}

function fromOthers(ims: Ims, row: ShipmentRow): JsonMembers {
  const seller = typeof row.sellerId === 'number' ? ims.store.sellers.find(row.contextId, row.sellerId) : null;
  const customer = ims.store.customers.find(row.contextId, Number(row['customerId']));
  return {
    sellerAddress: seller?.['address'],
    sellerContactPerson: seller?.['contactPerson'],
    customerAddress: row['customerAddress'] ?? customer?.['address'] ?? row['deliveryAddress'],
  };
}

/** Fields only for filters: responses do not show them. */
function fromLines(row: ShipmentRow, lines: readonly ShipmentLineRow[]): JsonMembers {
  const open = lines.filter((line) => line.numItemsPacked < line.numItemsOrdered);
  return {
    isPacked: lines.length > 0 && open.length === 0,
    isPartlyDelivered: typeof row.deliveryNoteId === 'number' && open.length > 0,
  };
}

function shippingStatus(row: ShipmentRow, lines: readonly ShipmentLineRow[]): string {
  if (row.cancelled === true) return 'CANCELLED';
  if (typeof row.consignmentNoteId === 'number') return 'CONSIGNED';
  if (typeof row.deliveryNoteId === 'number') return 'PACKED';
  if (row.onHold === true) return 'ON_HOLD';
  return lines.some((line) => line.numItemsPacked > 0) ? 'IN_PROGRESS' : 'NEW';
}

/** It is unknown whether the order of containers means anything; a switch reverses it. */
function inOrder<R>(ims: Ims, rows: readonly R[]): readonly R[] {
  return ims.switches().shuffleContainers ? rows.toReversed() : rows;
}
