import type { JsonMembers } from '../../store/json.js';
import { dayText } from './days.js';
import type { Item } from './products.js';
import { costOf } from './products.js';
import type { Random } from './random.js';

/** Largest number of pieces on a shelf; the rest lies on a pallet. */
const MAX_ON_SHELF = 60;
const SHELVES_PER_BAY = 4;
const BAYS_PER_AISLE = 12;
const PICKING_STEP = 10;

export interface Stock {
  readonly locations: readonly JsonMembers[];
  readonly lots: readonly JsonMembers[];
}

export interface StockWanted {
  readonly items: readonly Item[];
  readonly soldOut: readonly Item[];
  /** Stock keeping unit to the number of pieces ordered. */
  readonly ordered: ReadonlyMap<string, number>;
  readonly today: Date;
}

/** Generates stock: more of each item than is ordered, except for sold-out items. Every item gets a shelf. */
export function inventStock({ items, soldOut, ordered, today }: StockWanted, random: Random): Stock {
  const places = items.map((item, index) => ({ item, shelf: shelfNumber(index), index }));
  const lots = places.flatMap(({ item, shelf, index }) => {
    if (soldOut.includes(item)) return [];
    const pieces = (ordered.get(item.stockKeepingUnit) ?? 0) + random.whole(4, 40);
    const onShelf = Math.min(pieces, MAX_ON_SHELF);
    const shelved = lotOf(item, { pieces: onShelf, locationNumber: shelf, ageDays: random.whole(30, 160) }, today);
    if (pieces === onShelf) return [shelved];
    const pallet = { pieces: pieces - onShelf, locationNumber: palletNumber(index), ageDays: random.whole(2, 25) };
    return [shelved, lotOf(item, pallet, today)];
  });
  const pallets = new Set(lots.map((lot) => lot['locationNumber']));
  const damaged = places.slice(0, 1).map(({ item }) => ({
    ...lotOf(item, { pieces: 2, locationNumber: 'Q-01', ageDays: 12 }, today),
    lotStatus: 'DAMAGED',
  }));
  return {
    locations: [
      ...places.map(({ shelf, index }) => shelfBody(shelf, index)),
      ...places
        .map(({ index }) => ({ number: palletNumber(index), index }))
        .filter(({ number }) => pallets.has(number))
        .map(({ number, index }) => palletBody(number, items.length + index)),
      { locationNumber: 'IN-01', name: 'Varemodtagelse', locationType: 'FLOOR', containerTypeName: 'Floor' },
      { locationNumber: 'Q-01', name: 'Karantæne', locationType: 'SHELF', containerTypeName: 'Shelf' },
    ],
    lots: [...lots, ...damaged],
  };
}

interface Lying {
  readonly pieces: number;
  readonly locationNumber: string;
  readonly ageDays: number;
}

function lotOf(
  { stockKeepingUnit, product }: Item,
  { pieces, locationNumber, ageDays }: Lying,
  today: Date,
): JsonMembers {
  const arrived = dayText(today, -ageDays);
  const expires = dayText(today, 540 - ageDays);
  const kept =
    product.expires === undefined
      ? { inventorySortDate: arrived }
      : { inventorySortDate: expires, expirationDate: expires, batchNumber: `B${arrived.slice(2).replace(/-/g, '')}` };
  return {
    stockKeepingUnit,
    locationNumber,
    lotStatus: 'SALEABLE',
    numItemsRemaining: pieces,
    costPrice: costOf(product),
    ...kept,
  };
}

function shelfBody(locationNumber: string, index: number): JsonMembers {
  return {
    locationNumber,
    locationType: 'SHELF',
    containerTypeName: 'Shelf',
    pickingOrder: (index + 1) * PICKING_STEP,
  };
}

function palletBody(locationNumber: string, index: number): JsonMembers {
  return {
    locationNumber,
    locationType: 'PALLET',
    containerTypeName: 'EUR pallet',
    pickingOrder: (index + 1) * PICKING_STEP,
  };
}

/** Aisle, bay and shelf, e.g. `A-01-1`; aisle `AA` follows `Z`. */
function shelfNumber(index: number): string {
  const shelf = index % SHELVES_PER_BAY;
  const bay = Math.floor(index / SHELVES_PER_BAY) % BAYS_PER_AISLE;
  const aisle = Math.floor(index / SHELVES_PER_BAY / BAYS_PER_AISLE);
  return `${aisleName(aisle)}-${String(bay + 1).padStart(2, '0')}-${shelf + 1}`;
}

function aisleName(aisle: number): string {
  const letter = String.fromCodePoint('A'.charCodeAt(0) + (aisle % 26));
  return aisle < 26 ? letter : `${aisleName(Math.floor(aisle / 26) - 1)}${letter}`;
}

function palletNumber(index: number): string {
  return `PAL-${String(index + 1).padStart(3, '0')}`;
}
