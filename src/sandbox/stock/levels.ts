import type { Ims } from '../ims.js';
import type { ItemRow, LotRow } from '../store/store.js';

/** Stock levels of one trade item, in pieces. */
export interface Levels {
  /** All pieces in the warehouse, of any lot status. */
  readonly numItems: number;
  readonly numItemsSaleable: number;
  /** Pieces reserved for orders: ordered and not drawn yet. */
  readonly numItemsReserved: number;
  /** Saleable pieces minus reserved ones; negative when customers have ordered more than is in stock. */
  readonly numItemsAvailable: number;
  /** Pieces posted to the accounts. */
  readonly numItemsPosted: number;
}

export function levelsOf(ims: Pick<Ims, 'store'>, item: Pick<ItemRow, 'id' | 'contextId'>): Levels {
  const lots = ims.store.lots.where(item.contextId, 'globalTradeItemId', item.id);
  const reservations = ims.store.reservations.where(item.contextId, 'globalTradeItemId', item.id);
  const numItemsSaleable = sum(lots.filter(isSaleable).map((lot) => lot.numItemsRemaining));
  const numItemsReserved = sum(reservations.map((reservation) => reservation.numItemsReserved));
  return {
    numItems: sum(lots.map((lot) => lot.numItemsRemaining)),
    numItemsSaleable,
    numItemsReserved,
    numItemsAvailable: numItemsSaleable - numItemsReserved,
    numItemsPosted: sum(lots.map((lot) => lot.numItemsPosted)),
  };
}

export function isSaleable(lot: LotRow): boolean {
  return lot.lotStatus === 'SALEABLE';
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
