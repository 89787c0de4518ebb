import type { JsonMembers } from '../../store/json.js';
import type { Assortment } from '../scenario.js';
import type { CatalogueEntry } from './assortments/catalogue.js';
import { catalogueOf } from './assortments/index.js';
import type { Random } from './random.js';

/** One trade item: a product in one variant. */
export interface Item {
  readonly stockKeepingUnit: string;
  readonly product: Product;
  readonly variant: JsonMembers | null;
}

export interface Product extends CatalogueEntry {
  readonly productNumber: string;
  readonly productName: string;
  readonly brand: string;
}

export interface ProductRange {
  readonly products: readonly Product[];
  readonly items: readonly Item[];
}

const BRANDS = ['Fjord & Fjeld', 'Havblik', 'Nordlys', 'Klitrose', 'Bøgelund', 'Skovsø'];

/**
 * Generates products from the catalogues, with further brands when `count` exceeds the catalogues' size. Only products
 * of further brands name the brand.
 */
export function inventProducts(assortments: readonly Assortment[], count: number, random: Random): ProductRange {
  const catalogue = assortments.flatMap(catalogueOf);
  const brands = random.shuffled(BRANDS);
  const first = random.shuffled(catalogue);
  const products = Array.from({ length: count }, (_none, index): Product => {
    const entry = first[index % first.length];
    if (entry === undefined) throw new Error('there is no catalogue');
    const make = Math.floor(index / first.length);
    const brand = `${brands[make % brands.length]}${make < brands.length ? '' : ` ${make}`}`;
    const productNumber = make === 0 ? entry.code : `${entry.code}-${make + 1}`;
    return { ...entry, brand, productNumber, productName: make === 0 ? entry.name : `${entry.name}, ${brand}` };
  });
  return { products, items: products.flatMap(itemsOf) };
}

function itemsOf(product: Product): readonly Item[] {
  const colors = product.colors ?? [null];
  const sizes = product.sizes ?? [null];
  return colors.flatMap((color) =>
    sizes.map((size): Item => {
      const marks = [color?.toUpperCase() ?? null, size].filter((mark) => mark !== null);
      const description = [color, size].filter((part) => part !== null).join(', ');
      const variant = { ...(color === null ? {} : { color }), ...(size === null ? {} : { size }), description };
      return {
        stockKeepingUnit: [product.productNumber, ...marks].join('-'),
        product,
        variant: description === '' ? null : variant,
      };
    }),
  );
}

export function bodiesOfGroups(products: readonly Product[]): readonly JsonMembers[] {
  const names = new Set(products.map(({ group }) => group));
  return [...names].map((productGroupName) => ({ productGroupName, defaultProductUnit: 'PCS' }));
}

export function bodyOfProduct(product: Product): JsonMembers {
  const { productNumber, productName, brand, group, harmonizedSystemCode, dangerous, expires } = product;
  return {
    productNumber,
    productName,
    productGroupName: group,
    productUnit: 'PCS',
    brand,
    harmonizedSystemCode,
    importExportText: product.name,
    ...(dangerous === undefined ? {} : { dangerousGoodsNumber: dangerous.number }),
    ...(dangerous?.packingGroup === undefined ? {} : { hazardousPackingGroup: dangerous.packingGroup }),
    ...(expires === undefined
      ? {}
      : { batchNumberRequired: true, expirationDateRequired: true, inventorySortDateMapping: 'EXPIRATION_DATE' }),
  };
}

/**
 * Customs tariff numbers for these countries. The first six digits are the same in every country; each country defines
 * the rest.
 */
export function bodiesOfTariffs(product: Product, countryCodes: readonly string[]): readonly JsonMembers[] {
  const { productNumber, harmonizedSystemCode } = product;
  const tariffNumber = `${harmonizedSystemCode.slice(0, 6)}00`;
  return countryCodes.map((countryCode) => ({ productNumber, countryCode, tariffNumber }));
}

/** @param index of the item in its area, from 0; it makes `globalTradeItemNumber` unique */
export function bodyOfItem({ stockKeepingUnit, product, variant }: Item, index: number): JsonMembers {
  const [length, width, height] = product.sizeM;
  return {
    stockKeepingUnit,
    productNumber: product.productNumber,
    globalTradeItemNumber: tradeItemNumber(index),
    numUnitsContained: 1,
    ...(variant === null ? {} : { productVariantKey: variant }),
    dimensions: { length, width, height },
    weight: product.weightKg,
    volume: litresOf(product),
    standardCostPrice: costOf(product),
    countryOfOriginCode: product.origin,
  };
}

export function litresOf({ sizeM: [length, width, height] }: CatalogueEntry): number {
  return Math.round(length * width * height * 1_000_000) / 1000;
}

export function costOf({ price }: CatalogueEntry): number {
  return Math.round(price * 42) / 100;
}

/** A GTIN-13 with its check digit. It begins with 29, a prefix reserved for internal use by companies. */
function tradeItemNumber(index: number): string {
  const digits = `29${String(index + 1).padStart(10, '0')}`;
  const sum = Array.from(digits).reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
