import type { Goods } from '../../../carriers/contract/model.js';
import { type JsonObject, isJsonObject } from '../../../carriers/contract/json.js';
import { arrayField, booleanField, numberField, textField } from '../json-fields.js';
import { gramsFromKilograms } from './measures.js';
import type { ImsShipment } from '../resources.js';

/**
 * The goods of a shipment, one for each line, from the data at hand. Once a line is packed, lines of which no piece is
 * packed are left out; abandoned lines always are.
 * @param packedItems the packed instances as the IMS answers them, where they were read: only they name dangerous goods
 */
export function goodsOf({ fields }: ImsShipment, packedItems: readonly JsonObject[] = []): readonly Goods[] {
  const currencyCode = textField(fields, 'currencyCode');
  const currency = currencyCode === 'UNDEFINED' ? null : currencyCode;
  const lines = arrayField(fields, 'shipmentLines')
    .filter(isJsonObject)
    .filter((line) => booleanField(line, 'abandoned') !== true);
  const counted = lines.some((line) => (numberField(line, 'numItemsPacked') ?? 0) > 0)
    ? 'numItemsPacked'
    : 'numItemsOrdered';
  const lineIds = new Set(lines.map((line) => textField(line, 'id')));
  const packed = packedItems.filter((item) => booleanField(item, 'undone') !== true);
  const strays = packed.filter((item) => unNumber(item) !== null && !lineIds.has(lineIdOf(item)));
  return [
    ...lines.map((line) => toGoods(line, { currency, counted, items: itemsOf(line, packed) })),
    ...strays.map((item) => toGoods(item, { currency, counted: 'instanceCount', items: [item] })),
  ].filter(({ quantity }) => quantity > 0);
}

interface Around {
  readonly currency: string | null;
  /** The field that counts the pieces. */
  readonly counted: 'numItemsPacked' | 'numItemsOrdered' | 'instanceCount';
  readonly items: readonly JsonObject[];
}

function toGoods(line: JsonObject, { currency, counted, items }: Around): Goods {
  const harmonised = textField(line, 'harmonizedSystemCode');
  return {
    description: textField(line, 'importExportText') ?? textField(line, 'productName'),
    quantity: numberField(line, counted) ?? 1,
    unitValue: unitValueOf(line),
    currency,
    unitWeightGrams: gramsFromKilograms(numberField(line, 'weight')),
    tariffNumberAtDestination: textField(line, 'customsTariffNumber') ?? harmonised,
    tariffNumberAtOrigin: harmonised,
    countryOfOrigin: textField(line, 'countryOfOriginCode'),
    unNumbers: [...new Set(items.map(unNumber).filter((number) => number !== null))],
  };
}

function itemsOf(line: JsonObject, packedItems: readonly JsonObject[]): readonly JsonObject[] {
  const id = textField(line, 'id');
  return id === null ? [] : packedItems.filter((item) => lineIdOf(item) === id);
}

function lineIdOf(item: JsonObject): string | null {
  return textField(item, 'shipmentLineId');
}

function unNumber(item: JsonObject): string | null {
  return textField(item, 'dangerousGoodsNumber');
}

/** The IMS has four decimals in a price and two in a discount. */
const PRICE_DECIMALS = 10_000;

/** The price of a piece less the line's discount; `null` for a free item, whose customs value is unknown. */
function unitValueOf(line: JsonObject): string | null {
  const price = numberField(line, 'salesPrice');
  if (price === null || price <= 0) return null;
  const discount = Math.min(100, Math.max(0, numberField(line, 'discountPercentage') ?? 0));
  const value = Math.round(price * PRICE_DECIMALS * (1 - discount / 100)) / PRICE_DECIMALS;
  return value > 0 ? value.toFixed(4).replace(/\.?0+$/, '') : null;
}
