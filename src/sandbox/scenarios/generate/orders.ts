import type { JsonMembers } from '../../store/json.js';
import type { Quantity } from './packing.js';
import type { Customer } from './parties.js';
import type { Item } from './products.js';
import { litresOf } from './products.js';
import type { Random } from './random.js';

/** Largest total weight and volume of an order: for a person one or two parcels, for a company a few. */
const MAX_ORDER = { person: { kg: 18, litres: 65 }, company: { kg: 60, litres: 260 } };
const NOTES_ON_PICKING = ['Tjek farve', 'Pakkes ind som gave', 'Kun ubrudt emballage'];

/** Generates an order: at least one line, no item twice, at least one piece of each item. */
export function inventOrder(customer: Customer, items: readonly Item[], random: Random): readonly Quantity[] {
  const { kind } = customer;
  const lines = kind === 'person' ? random.pick([1, 1, 1, 2, 2, 3]) : random.pick([1, 2, 3, 4, 5]);
  const chosen = [...new Set(Array.from({ length: lines }, () => random.pick(items)))];
  const wanted = chosen.map((item) => ({ item, pieces: inventPieces(item, kind, random) }));
  return wanted.filter((_quantity, index) => index === 0 || isUsual(wanted.slice(0, index + 1), kind));
}

function isUsual(quantities: readonly Quantity[], kind: Customer['kind']): boolean {
  const total = (measure: (item: Item) => number): number =>
    quantities.reduce((sum, { item, pieces }) => sum + pieces * measure(item), 0);
  const { kg, litres } = MAX_ORDER[kind];
  return total(({ product }) => product.weightKg) <= kg && total(({ product }) => litresOf(product)) <= litres;
}

/** Draws the number of pieces of one item: at most half of the largest order, but at least one. */
function inventPieces({ product }: Item, kind: Customer['kind'], random: Random): number {
  const { kg, litres } = MAX_ORDER[kind];
  const most = Math.max(1, Math.floor(Math.min(kg / product.weightKg, litres / litresOf(product)) / 2));
  const usual = product.price < 150 ? [1, 2, 3, 4] : [1, 1, 1, 2];
  return Math.min(most, kind === 'company' ? random.whole(2, 12) : random.pick(usual));
}

/** The `shipmentLines` of a shipment's body. */
export function bodiesOfLines(
  quantities: readonly Quantity[],
  customer: Customer,
  random: Random,
): readonly JsonMembers[] {
  return quantities.map(({ item: { stockKeepingUnit, product }, pieces }) => ({
    stockKeepingUnit,
    numItemsOrdered: pieces,
    salesPrice: priceFor(product.price, customer),
    ...(random.chance(3) ? { notesOnPicking: random.pick(NOTES_ON_PICKING) } : {}),
    ...(customer.kind === 'company' && random.chance(30) ? { discountPercentage: random.pick([5, 10, 15]) } : {}),
    ...(customer.country.customs === 'needed'
      ? { weight: product.weightKg, countryOfOriginCode: product.origin, importExportText: product.name }
      : {}),
  }));
}

/**
 * The price in the customer's currency. Companies, and customers outside the EU's customs union, pay without Danish
 * VAT.
 */
function priceFor(price: number, { country, kind }: Customer): number {
  const net = kind === 'company' || country.customs === 'needed' ? price / 1.25 : price;
  const there = net * country.perKrone;
  return there < 100 ? Math.round(there * 100) / 100 : Math.round(there);
}
