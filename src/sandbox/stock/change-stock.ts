import type { Ims } from '../ims.js';
import { FULL, SALES } from '../api/endpoint.js';
import { timestamp } from '../schema/dates.js';
import type { Json, JsonMembers } from '../store/json.js';
import { ImsRefusal } from '../api/refusal.js';
import type { ItemRow, LotRow, ShipmentRow, TransactionRow } from '../store/store.js';
import { levelsOf } from './levels.js';
import { piecesOf } from './reserve.js';

/** A movement of pieces into or out of a lot. */
export interface Movement {
  readonly lot: LotRow;
  /** Positive into the lot, negative out of it. */
  readonly numItems: number;
  readonly transactionType: string;
  /** The reason of the movement: ids of a shipment, a line and so on. */
  readonly because: JsonMembers;
}

export interface StockChange {
  readonly contextId: number;
  /** The items whose stock may change. */
  readonly itemIds: readonly number[];
  /** The order, when its own sales channel creates, changes or cancels it; not given for changes by others. */
  readonly order?: ShipmentRow;
  /**
   * `all`: a movement sends all three events for its item, even when the available stock does not change. `changes`, or
   * not given: only events about levels that changed.
   */
  readonly tells?: 'all' | 'changes';
}

/**
 * Gives the order when the current request comes from its sales channel, not from a worker or another system. The
 * channel has already accounted for its own change, but needs the events about changes by others.
 */
export function changedBySeller(ims: Pick<Ims, 'caller' | 'switches'>, order: ShipmentRow): Pick<StockChange, 'order'> {
  const scopes = ims.caller()?.scopes ?? [];
  const isSalesSystem = scopes.includes(SALES) && !scopes.includes(FULL);
  return isSalesSystem || ims.switches().sellerOfChanges === 'order' ? { order } : {};
}

export type Move = (movement: Movement) => LotRow;

/**
 * Every change of stock or reservations runs inside this function. After `act` it sends the resulting events for each
 * item: `availableStockChanged`, `physicalStockChanged` for each movement, and `availabilityChanged`.
 *
 * A sales channel that changes its own order has accounted for the pieces of that order, so `availableStockChanged`
 * carries its `sellerId` for exactly those pieces. When the available stock changes by a different number, e.g. because
 * packed pieces return to a lot that is no longer for sale, a second event without `sellerId` carries the difference.
 * @param act changes lots through `move`, and reservations directly
 */
export function changeStock<T>(ims: Ims, change: StockChange, act: (move: Move) => T): T {
  const { contextId } = change;
  const items = [...new Set(change.itemIds)].flatMap((id) => ims.store.globalTradeItems.find(contextId, id) ?? []);
  const order = typeof change.order?.sellerId === 'number' ? change.order : null;
  const look = (item: ItemRow) => ({
    available: levelsOf(ims, item).numItemsAvailable,
    ordered: order === null ? 0 : piecesOf(ims, order, item.id),
  });
  const earlier = items.map((item) => ({ item, before: look(item) }));
  const transactions: TransactionRow[] = [];
  const outcome = act((movement) => {
    const { lot, transaction } = moveStock(ims, movement);
    transactions.push(transaction);
    return lot;
  });
  for (const { item, before } of earlier) {
    const now = look(item);
    const bySeller = before.ordered - now.ordered;
    const byOthers = now.available - before.available - bySeller;
    const moved = transactions.filter(({ globalTradeItemId }) => globalTradeItemId === item.id);
    const tellsAll = change.tells === 'all' && moved.length > 0;
    const sellerId = order?.sellerId ?? null;
    announce(ims, item, { bySeller, byOthers, available: now.available, moved, sellerId, tellsAll });
  }
  return outcome;
}

interface Announcement {
  /** Change of the available stock by the order's own pieces. */
  readonly bySeller: number;
  /** The rest of the change of the available stock. */
  readonly byOthers: number;
  readonly available: number;
  readonly moved: readonly TransactionRow[];
  readonly sellerId: Json;
  /** Whether to send the events even when the available stock did not change. */
  readonly tellsAll: boolean;
}

function announce(ims: Ims, item: ItemRow, announcement: Announcement): void {
  const { bySeller, byOthers, available, moved, sellerId, tellsAll } = announcement;
  const { id: globalTradeItemId, contextId } = item;
  const emit = (type: string, detail: Readonly<Record<string, Json>>) =>
    ims.events.emit({ contextId, type, detail: { globalTradeItemId, ...detail } });
  if (bySeller !== 0) emit('availableStockChanged', { delta: bySeller, sellerId });
  if (byOthers !== 0 || tellsAll) emit('availableStockChanged', { delta: byOthers });
  for (const { id: transactionId, transactionType } of moved)
    emit('physicalStockChanged', { transactionId, transactionType });
  if (bySeller + byOthers !== 0 || tellsAll)
    emit('availabilityChanged', { numItemsAvailable: available, ...(bySeller === 0 ? {} : { sellerId }) });
}

function moveStock(ims: Ims, movement: Movement): { readonly lot: LotRow; readonly transaction: TransactionRow } {
  const { numItems, transactionType, because } = movement;
  // Reads the lot again, because an earlier movement may have changed it.
  const before = ims.store.lots.byId(movement.lot.id) ?? movement.lot;
  const numItemsRemaining = before.numItemsRemaining + numItems;
  if (numItemsRemaining < 0)
    throw new ImsRefusal(
      'invalid',
      'GlobalTradeItemLot',
      `Lot ${before.id} has only ${before.numItemsRemaining} pieces.`,
    );
  // The accounts post pieces when they enter or leave the warehouse. Pieces that only change lots keep their posted
  // state.
  const posted = transactionType === 'SPLITTING' ? numItems : 0;
  const numItemsPosted = before.numItemsPosted + posted;
  const lot = ims.store.lots.put({ ...before, numItemsRemaining, numItemsPosted, timeLastMovement: timestamp(ims) });
  const { contextId, globalTradeItemId } = lot;
  const transaction = ims.store.transactions.put({
    ...because,
    id: ims.store.nextId(),
    contextId,
    transactionType,
    globalTradeItemId,
    globalTradeItemLotId: lot.id,
    numItems,
    numItemsPosted: posted,
    timeMade: timestamp(ims),
    madeByInitials: 'api',
    batchNumber: lot['batchNumber'] ?? null,
    expirationDate: lot['expirationDate'] ?? null,
    inventorySortDate: lot.inventorySortDate,
    locationId: lot['locationId'] ?? null,
    locationNumber: lot.locationNumber,
    accumulatedNumItems: levelsOf(ims, { id: globalTradeItemId, contextId }).numItems,
  });
  return { lot, transaction };
}
