import type { Ims } from '../ims.js';
import type { LotRow, ShipmentLineRow, ShipmentRow, TransactionRow } from '../store/store.js';
import type { Move } from './change-stock.js';
import { isSaleable, sum } from './levels.js';

/** Lots that pieces of the line can be drawn from, earliest `inventorySortDate` first. */
function drawableLots(ims: Pick<Ims, 'store'>, line: ShipmentLineRow): readonly LotRow[] {
  return ims.store.lots
    .where(line.contextId, 'globalTradeItemId', line.globalTradeItemId)
    .filter((lot) => isSaleable(lot) && lot.numItemsRemaining > 0)
    .toSorted((one, other) => one.inventorySortDate.localeCompare(other.inventorySortDate) || one.id - other.id);
}

export function drawable(ims: Pick<Ims, 'store'>, line: ShipmentLineRow): number {
  return sum(drawableLots(ims, line).map((lot) => lot.numItemsRemaining));
}

/**
 * Draws `numItems` pieces from stock, from several lots if necessary. The caller ensures that enough pieces are
 * drawable.
 */
export function draw(
  ims: Ims,
  move: Move,
  wanted: { readonly line: ShipmentLineRow; readonly shipment: ShipmentRow; readonly numItems: number },
): void {
  const { line, shipment } = wanted;
  let missing = wanted.numItems;
  for (const lot of drawableLots(ims, line)) {
    const numItems = Math.min(missing, lot.numItemsRemaining);
    if (numItems === 0) return;
    missing -= numItems;
    move({ lot, numItems: -numItems, transactionType: 'SHIPPING', because: reasonOf(shipment, line) });
  }
}

/** Returns the pieces drawn for a line, each to the lot that it came from. */
export function undoDraws(ims: Ims, move: Move, line: ShipmentLineRow): void {
  const drawn = ims.store.transactions
    .where(line.contextId, 'shipmentId', line.shipmentId)
    .filter((row) => row['shipmentLineId'] === line.id && isOpenDraw(row));
  for (const transaction of drawn) {
    const lot = ims.store.lots.byId(transaction.globalTradeItemLotId);
    if (lot === null) continue;
    const { id: reversedTransactionId, transactionType, numItems } = transaction;
    const { shipmentId, shipmentNumber, shipmentLineId, sellerId, sellerNumber } = transaction;
    const because = { reversedTransactionId, shipmentId, shipmentNumber, shipmentLineId, sellerId, sellerNumber };
    move({ lot, numItems: -numItems, transactionType, because });
    const [reversal] = ims.store.transactions.where(line.contextId, 'globalTradeItemLotId', lot.id).slice(-1);
    ims.store.transactions.put({
      ...transaction,
      reversalTransactionId: reversal?.id,
      reversalTransactionTimeMade: reversal?.['timeMade'],
    });
  }
  for (const row of ims.store.instances.where(line.contextId, 'shipmentLineId', line.id))
    if (row['undone'] !== true) ims.store.instances.put({ ...row, undone: true, timeUndone: ims.now().toISOString() });
  const current = ims.store.shipmentLines.byId(line.id) ?? line;
  ims.store.shipmentLines.put({ ...current, numItemsPacked: 0 });
}

function isOpenDraw(row: TransactionRow): boolean {
  return (row['reversalTransactionId'] ?? row['reversedTransactionId'] ?? null) === null;
}

function reasonOf(shipment: ShipmentRow, line: ShipmentLineRow) {
  return {
    shipmentId: shipment.id,
    shipmentNumber: shipment.shipmentNumber,
    shipmentLineId: line.id,
    reservationId: line.reservationId,
    customerId: shipment['customerId'],
    sellerId: shipment.sellerId,
    sellerNumber: shipment['sellerNumber'],
  };
}
