import { asArray, asNumber, asText } from './json-values.js';
import { type JsonObject, isJsonObject } from '../../../carriers/contract/json.js';
import { localTime } from './local-time.js';
import type { ShipmentFieldType } from './shipment-fields.js';

/** What is known beside the shipment itself. */
export interface RoutingContext {
  /** IANA, of the area. */
  readonly timeZone: string;
  /** `null`: not given; then weekday and hour are not known. */
  readonly now: Date | null;
  /** ISO 3166-1 alpha-2, for shipments that do not say where they are sent from. */
  readonly senderCountry?: string | null;
  /** What the IMS answers for the packed items of the shipment; without it dangerous goods are not known. */
  readonly packedItems?: readonly JsonObject[] | null;
}

export interface Source {
  readonly shipment: JsonObject;
  readonly containers: readonly JsonObject[];
  readonly around: RoutingContext;
}

/** Why a value is missing. */
export type Missing =
  | 'not-packed'
  | 'no-weight'
  | 'no-volume'
  | 'no-dimensions'
  | 'no-lines'
  | 'no-price'
  | 'no-country'
  | 'no-sender-country'
  | 'no-postal-code'
  | 'not-numeric'
  | 'not-said'
  | 'not-read'
  | 'no-time'
  | 'no-event';

/** `not-known`: cannot be judged, perhaps yet. `none`: there is no such value, and a condition on it fails. */
export type Derived =
  | { readonly kind: 'known'; readonly value: string | number | boolean | null }
  | { readonly kind: 'not-known' | 'none'; readonly why: Missing };

export interface DerivedField {
  readonly type: ShipmentFieldType;
  readonly unit: string | null;
  /** Where the value comes from, shown to the operator. */
  readonly from: string;
  readonly min?: number;
  /** Exclusive lower bound. */
  readonly above?: number;
  readonly max?: number;
  readonly whole?: true;
  readonly values?: readonly string[];
  readonly derive: (source: Source) => Derived;
}

/** ISO 3166-1 codes of the member states, without territories that have a code of their own. */
const EU = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** What rules can ask for beside the fields of the IMS. docs/rules.md shows this table. */
export const DERIVED_FIELDS = {
  weightKg: {
    type: 'number',
    unit: 'kg',
    from: 'sum over the containers of `grossWeight`, else `weight`, else `netWeight` + `tareWeight`',
    above: 0,
    derive: ({ containers }) => total(containers, weightOf, 'no-weight'),
  },
  volumeL: {
    type: 'number',
    unit: 'litre',
    from: 'sum over the containers of length × width × height, else `outerVolume`, else `volume`',
    above: 0,
    derive: ({ containers }) => total(containers, volumeOf, 'no-volume'),
  },
  parcelCount: {
    type: 'number',
    unit: null,
    from: 'number of containers',
    min: 1,
    whole: true,
    derive: ({ containers }) => (containers.length === 0 ? notKnown('not-packed') : known(containers.length)),
  },
  longestCm: {
    type: 'number',
    unit: 'cm',
    from: 'longest side of any container',
    above: 0,
    derive: longestSide,
  },
  value: {
    type: 'number',
    unit: "the shipment's `currencyCode`",
    from: 'sum over `shipmentLines` that are not abandoned of `totalAmount`, else `salesPrice` × `numItemsOrdered` less `discountPercentage`',
    min: 0,
    derive: valueOfGoods,
  },
  isDomestic: {
    type: 'boolean',
    unit: null,
    from: "`deliveryAddress.countryCode` is the sender's: `sellerAddress.countryCode`, else the area's",
    derive: isDomestic,
  },
  isEu: {
    type: 'boolean',
    unit: null,
    from: '`deliveryAddress.countryCode` is a member state of the European Union',
    derive: ({ shipment }) => countryFact(shipment, isMemberState),
  },
  isBusiness: {
    type: 'boolean',
    unit: null,
    from: '`privateDelivery` is false; where it is not said: there is a `vatNumber`',
    derive: isBusiness,
  },
  hasDangerousGoods: {
    type: 'boolean',
    unit: null,
    from: 'an item that is packed, and was not taken out again, has a `dangerousGoodsNumber`',
    derive: hasDangerousGoods,
  },
  postalCode: {
    type: 'number',
    unit: null,
    from: '`deliveryAddress.postalCode` as a number, where it is all digits but for blanks, hyphens and a country in front; of a ZIP+4 code its first five digits',
    min: 0,
    derive: ({ shipment }) => postalNumber(shipment),
  },
  weekday: {
    type: 'text',
    unit: null,
    from: "the day on which the carrier is chosen, in the area's time zone: `monday` to `sunday`",
    values: WEEKDAYS,
    derive: ({ around }) => timeFact(around, ({ weekday }) => weekday),
  },
  hour: {
    type: 'number',
    unit: 'hour, 0 to 23',
    from: "the hour in which the carrier is chosen, in the area's time zone",
    min: 0,
    max: 23,
    whole: true,
    derive: ({ around }) => timeFact(around, ({ hour }) => hour),
  },
  seller: {
    type: 'text',
    unit: null,
    from: '`sellerNumber`',
    derive: ({ shipment }) => known(asText(shipment['sellerNumber'])),
  },
  customer: {
    type: 'text',
    unit: null,
    from: '`customerNumber`',
    derive: ({ shipment }) => known(asText(shipment['customerNumber'])),
  },
} as const satisfies Readonly<Record<string, DerivedField>>;

/** @returns `null` when no derived field has that name */
export function derivedField(name: string): DerivedField | null {
  const table: Readonly<Record<string, DerivedField>> = DERIVED_FIELDS;
  return Object.hasOwn(table, name) ? (table[name] ?? null) : null;
}

/** @param country ISO 3166-1 alpha-2 */
export function isMemberState(country: string): boolean {
  return EU.includes(country);
}

function known(value: string | number | boolean | null): Derived {
  return { kind: 'known', value };
}

function notKnown(why: Missing): Derived {
  return { kind: 'not-known', why };
}

/** Rounds away the error of binary fractions, so that 0.1 + 0.2 is 0.3. */
function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

function total(
  containers: readonly JsonObject[],
  measure: (container: JsonObject) => number | null,
  why: Missing,
): Derived {
  if (containers.length === 0) return notKnown('not-packed');
  let sum = 0;
  for (const container of containers) {
    const value = measure(container);
    if (value === null) return notKnown(why);
    sum += value;
  }
  return known(rounded(sum, 3));
}

function weightOf(container: JsonObject): number | null {
  const [net, tare] = [asNumber(container['netWeight']), asNumber(container['tareWeight'])];
  const sum = net === null || tare === null ? null : net + tare;
  return positive(asNumber(container['grossWeight'])) ?? positive(asNumber(container['weight'])) ?? positive(sum);
}

/** Metres. */
function sidesOf(container: JsonObject): readonly number[] | null {
  const { dimensions } = container;
  if (!isJsonObject(dimensions)) return null;
  const sides = ['length', 'width', 'height'].map((side) => positive(asNumber(dimensions[side])));
  return sides.every((side) => side !== null) ? sides : null;
}

function volumeOf(container: JsonObject): number | null {
  const sides = sidesOf(container);
  if (sides !== null) return sides.reduce((product, side) => product * side, 1_000);
  return positive(asNumber(container['outerVolume'])) ?? positive(asNumber(container['volume']));
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null;
}

function longestSide({ containers }: Source): Derived {
  if (containers.length === 0) return notKnown('not-packed');
  const sides = containers.map(sidesOf);
  if (!sides.every((three) => three !== null)) return notKnown('no-dimensions');
  return known(rounded(Math.max(...sides.flat()) * 100, 1));
}

function valueOfGoods({ shipment }: Source): Derived {
  const lines = asArray(shipment['shipmentLines']).filter(isJsonObject);
  const wanted = lines.filter((line) => line['abandoned'] !== true);
  if (wanted.length === 0) return notKnown('no-lines');
  const amounts = wanted.map(amountOf);
  if (!amounts.every((amount) => amount !== null)) return notKnown('no-price');
  return known(
    rounded(
      amounts.reduce((sum, amount) => sum + amount, 0),
      4,
    ),
  );
}

function amountOf(line: JsonObject): number | null {
  const given = asNumber(line['totalAmount']);
  if (given !== null) return given;
  const [price, pieces] = [asNumber(line['salesPrice']), asNumber(line['numItemsOrdered'])];
  if (price === null || pieces === null) return null;
  return price * pieces * (1 - (asNumber(line['discountPercentage']) ?? 0) / 100);
}

function countryIn(address: unknown): string | null {
  const code = isJsonObject(address) ? asText(address['countryCode'])?.trim().toUpperCase() : undefined;
  return code !== undefined && /^[A-Z]{2}$/.test(code) ? code : null;
}

function countryFact(shipment: JsonObject, fact: (country: string) => boolean): Derived {
  const country = countryIn(shipment['deliveryAddress']);
  return country === null ? notKnown('no-country') : known(fact(country));
}

function isDomestic({ shipment, around }: Source): Derived {
  const sender = countryIn(shipment['sellerAddress']) ?? around.senderCountry?.toUpperCase() ?? null;
  return sender === null ? notKnown('no-sender-country') : countryFact(shipment, (country) => country === sender);
}

function isBusiness({ shipment }: Source): Derived {
  const privately = shipment['privateDelivery'];
  if (typeof privately === 'boolean') return known(!privately);
  return asText(shipment['vatNumber']) === null ? notKnown('not-said') : known(true);
}

function hasDangerousGoods({ containers, around }: Source): Derived {
  if (containers.length === 0) return notKnown('not-packed');
  if (!around.packedItems) return notKnown('not-read');
  const packed = around.packedItems.filter((item) => item['undone'] !== true);
  return known(packed.some((item) => asText(item['dangerousGoodsNumber']) !== null));
}

function postalNumber(shipment: JsonObject): Derived {
  const address = shipment['deliveryAddress'];
  const code = isJsonObject(address) ? asText(address['postalCode']) : null;
  if (code === null) return { kind: 'none', why: 'no-postal-code' };
  const plain = code
    .trim()
    .replace(/^[A-Za-z]{1,2}[\s-]*(?=\d)/, '')
    .replace(ZIP_PLUS_FOUR, '$1');
  const digits = plain.replace(/[\s-]/g, '');
  return /^\d{1,10}$/.test(digits) ? known(Number(digits)) : { kind: 'none', why: 'not-numeric' };
}

/** The last four digits of a ZIP+4 code name a part of a street. Only the United States write codes like this. */
const ZIP_PLUS_FOUR = /^(\d{5})-\d{4}$/;

function timeFact(around: RoutingContext, fact: (time: ReturnType<typeof localTime>) => string | number): Derived {
  return around.now === null ? notKnown('no-time') : known(fact(localTime(around.now, around.timeZone)));
}
