import type { Ims } from '../ims.js';
import { timestamp } from '../schema/dates.js';
import type { ShipmentLineRow, ShipmentRow } from '../store/store.js';
import { sum } from './levels.js';

/**
 * Updates the reservation of a line: it reserves the pieces that are not drawn yet. It reserves none for a cancelled or
 * packed shipment, an abandoned line, or an item that is not stocked. The function is idempotent. Call it inside
 * `changeStock`.
 */
export function reserveLine(ims: Ims, shipment: ShipmentRow, line: ShipmentLineRow): void {
  const item = ims.store.globalTradeItems.find(line.contextId, line.globalTradeItemId);
  if (item?.stocked !== true) {
    dropReservation(ims, line);
    if (line.reservationId !== null) ims.store.shipmentLines.put({ ...line, reservationId: null });
    return;
  }
  const numItemsReserved = piecesToReserve(ims, shipment, line);
  const before = line.reservationId === null ? null : ims.store.reservations.byId(line.reservationId);
  if (before !== null) {
    ims.store.reservations.put({ ...before, numItemsReserved });
    return;
  }
  const row = ims.store.reservations.put({ ...newReservation(ims, shipment, line), numItemsReserved });
  ims.store.shipmentLines.put({ ...line, reservationId: row.id });
}

function newReservation(ims: Ims, shipment: ShipmentRow, line: ShipmentLineRow) {
  return {
    id: ims.store.nextId(),
    contextId: line.contextId,
    timeMade: timestamp(ims),
    globalTradeItemId: line.globalTradeItemId,
    sellersReference: line['sellersReference'] ?? shipment['sellersReference'],
    shippingStartDate: shipment['deliveryDate'],
    text: line['reservationText'],
    reservationPriority: line['reservationPriority'],
    sellerId: shipment.sellerId,
    sellerNumber: shipment['sellerNumber'],
  };
}

/** Removes the reservation of a line. Call it inside `changeStock`, before the line is removed. */
export function dropReservation(ims: Ims, line: ShipmentLineRow): void {
  const row = line.reservationId === null ? null : ims.store.reservations.byId(line.reservationId);
  if (row !== null) ims.store.reservations.remove(row);
}

export function linesOf(ims: Pick<Ims, 'store'>, shipment: ShipmentRow): readonly ShipmentLineRow[] {
  return ims.store.shipmentLines.where(shipment.contextId, 'shipmentId', shipment.id);
}

/** The number of pieces drawn from stock for a line. */
function numItemsDrawn(ims: Pick<Ims, 'store'>, line: ShipmentLineRow): number {
  const instances = ims.store.instances.where(line.contextId, 'shipmentLineId', line.id);
  return sum(instances.filter((row) => row['undone'] !== true).map((row) => Number(row['numItemsDrawn'])));
}

/** Pieces of an item that an order makes unavailable to others: reserved, or drawn from stock. */
export function piecesOf(ims: Pick<Ims, 'store'>, shipment: ShipmentRow, itemId: number): number {
  const lines = linesOf(ims, shipment).filter((line) => line.globalTradeItemId === itemId);
  return sum(lines.map((line) => numItemsReserved(ims, line) + numItemsDrawn(ims, line)));
}

function numItemsReserved(ims: Pick<Ims, 'store'>, { reservationId }: ShipmentLineRow): number {
  const reservation = reservationId === null ? null : ims.store.reservations.byId(reservationId);
  return reservation?.numItemsReserved ?? 0;
}

function piecesToReserve(ims: Ims, shipment: ShipmentRow, line: ShipmentLineRow): number {
  const over = shipment.cancelled === true || typeof shipment.deliveryNoteId === 'number' || line.abandoned;
  return over ? 0 : line.numItemsOrdered - numItemsDrawn(ims, line);
}
