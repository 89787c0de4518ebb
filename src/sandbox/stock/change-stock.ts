import type { Ims } from '../ims.js';
import { FULL, SALES } from '../api/endpoint.js';
import { timestamp } from '../schema/dates.js';
import type { Json, JsonObject } from '../store/json.js';
import { Refusal } from '../api/refusal.js';
import type { ItemRow, LotRow, ShipmentRow, TransactionRow } from '../store/store.js';
import { levelsOf } from './levels.js';
import { piecesOf } from './reserve.js';

/** Pieces that come to a lot or leave it. */
export interface Movement {
  readonly lot: LotRow;
  /** Signed. */
  readonly numItems: number;
  readonly transactionType: string;
  /** What it happened for: ids of a shipment, a line and so on. */
  readonly because: JsonObject;
}

export interface StockChange {
  readonly contextId: number;
  /** The items it may concern. */
  readonly itemIds: readonly number[];
  /** The order that its sales channel creates, changes or cancels; none for what others do to it. */
  readonly order?: ShipmentRow;
  /** What comes to the house is told with all three events, whether or not it is for sale; else only what changed. */
  readonly tells?: 'all' | 'changes';
}

/**
 * The order, where its sales channel is the one that changes it just now: its own client does, and no worker or other
 * system. The channel has counted with the change already; of one by others it is to be told like everybody else.
 */
export function changedBySeller(ims: Pick<Ims, 'caller' | 'switches'>, order: ShipmentRow): Pick<StockChange, 'order'> {
  const scopes = ims.caller()?.scopes ?? [];
  const isSalesSystem = scopes.includes(SALES) && !scopes.includes(FULL);
  return isSalesSystem || ims.switches().sellerOfChanges === 'order' ? { order } : {};
}

export type Move = (movement: Movement) => LotRow;

/**
 * Whatever changes stock or reservations is done in here: afterwards the events that follow from it are sent, for each
 * item `availableStockChanged`, `physicalStockChanged` for each movement, `availabilityChanged`.
 *
 * A sales channel that changes an order of its own counts with the pieces of the order: `availableStockChanged` bears its
 * `sellerId` for just those. If others become available, as when packed pieces go back to a lot that is no longer for
 * sale, a second one without `sellerId` tells of the difference.
 * @param act changes lots by `move` and reservations as it likes
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
  /** What the order's own pieces add to what is available. */
  readonly bySeller: number;
  /** What is added besides. */
  readonly byOthers: number;
  readonly available: number;
  readonly moved: readonly TransactionRow[];
  readonly sellerId: Json;
  /** Also that nothing more is available than before. */
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
  // The lot may have been changed since the movement was planned.
  const before = ims.store.lots.byId(movement.lot.id) ?? movement.lot;
  const numItemsRemaining = before.numItemsRemaining + numItems;
  if (numItemsRemaining < 0)
    throw new Refusal('invalid', 'GlobalTradeItemLot', `Lot ${before.id} has only ${before.numItemsRemaining} pieces.`);
  // The accounts know pieces by how they came to the house or left it: what only changes lots takes its posting along.
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
