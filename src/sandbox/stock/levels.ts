import type { Ims } from '../ims.js';
import type { ItemRow, LotRow } from '../store/store.js';

/** Pieces of one trade item. */
export interface Levels {
  /** All that is in the house, whatever its state. */
  readonly numItems: number;
  readonly numItemsSaleable: number;
  /** Ordered by customers and not drawn yet. */
  readonly numItemsReserved: number;
  /** Saleable and not reserved; below zero when more is ordered than there is. */
  readonly numItemsAvailable: number;
  /** As the accounts know it. */
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
