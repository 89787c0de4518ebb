import countries from 'i18n-iso-countries/index.js';
import type { Address, BookingRequest, Goods } from '../contract/index.js';
import type { ValidationIssue } from './check-codes.js';
import { inWords, plainPostalCode, when } from './preflight.js';
import { kilograms } from './units.js';

type Place = Pick<Address, 'countryCode' | 'postalCode'>;

/** Members of the European Union as of 2026-01-01. */
const EU = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '));

/** Countries and islands that belong to the customs area of another country. */
const AS_IF_IN: ReadonlyMap<string, string> = new Map([
  ['MC', 'EU'], // treated as France for customs and VAT
  ['IM', 'GB'], // treated as the United Kingdom for customs and VAT
  ['LI', 'CH'], // customs union with Switzerland
]);

/**
 * Places inside a country whose customs or VAT border is not that of the country (Council Directive 2006/112/EC,
 * article 6; Regulation (EU) 952/2013, article 4; for Northern Ireland the Windsor Framework). Greenland, the Faroe
 * Islands, Åland and the French overseas departments have country codes of their own; an entry finds those that stand in
 * an address under the country that they belong to. The Faroe Islands have none: their postal codes of three digits are
 * no Danish ones.
 */
const SPECIAL: readonly { readonly country: string; readonly postalCode: RegExp; readonly area: string }[] = [
  { country: 'DE', postalCode: /^(78266|27498)$/, area: 'Büsingen or Helgoland' },
  { country: 'DK', postalCode: /^39\d\d$/, area: 'GL' },
  { country: 'ES', postalCode: /^(35|38)/, area: 'the Canary Islands' },
  { country: 'ES', postalCode: /^(51|52)/, area: 'Ceuta or Melilla' },
  { country: 'FI', postalCode: /^22/, area: 'AX' },
  { country: 'GR', postalCode: /^6308[67]$/, area: 'Mount Athos' },
  { country: 'IT', postalCode: /^(23041|22061)$/, area: 'Livigno or Campione' },
  { country: 'FR', postalCode: /^(97|98[4-8])/, area: 'French overseas' },
  { country: 'GB', postalCode: /^BT/, area: 'EU' }, // goods move between Northern Ireland and the EU without customs
];

/**
 * Whether goods between the two need a customs declaration, as far as their countries and postal codes tell. Between
 * Great Britain and Northern Ireland other rules apply, which we do not know well enough to report an issue.
 */
export function crossesCustoms(from: Place, to: Place): boolean {
  const [here, there] = [customsArea(from), customsArea(to)];
  const insideUnitedKingdom = from.countryCode === 'GB' && to.countryCode === 'GB';
  return here !== null && there !== null && here !== there && !insideUnitedKingdom;
}

/** `EU`, a country, or a place with a border of its own; `null`: there is no such country. */
export function customsArea({ countryCode, postalCode }: Place): string | null {
  if (countryCode === null || countries.alpha2ToNumeric(countryCode) === undefined) return null;
  const special = specialArea({ countryCode, postalCode });
  return special ?? AS_IF_IN.get(countryCode) ?? (EU.has(countryCode) ? 'EU' : countryCode);
}

/** For a carrier to which Greenland is `GL` and never `DK`: its addresses say either. */
export function toPlace({ countryCode, postalCode }: Place): Place {
  const plain = plainPostalCode({ countryCode, postalCode });
  return { postalCode: plain, countryCode: specialArea({ countryCode, postalCode }) === 'GL' ? 'GL' : countryCode };
}

function specialArea({ countryCode, postalCode }: Place): string | undefined {
  const plain = plainPostalCode({ countryCode, postalCode }) ?? '';
  const code = plain.toUpperCase().replace(/[\s-]/g, '');
  return SPECIAL.find((place) => place.country === countryCode && place.postalCode.test(code))?.area;
}

/**
 * `customs`, for a carrier whose interface takes no customs data. A rule with `options: { customs: papers }` says that
 * papers travel with the parcels.
 * @param from the country in which the carrier collects the parcels, not the seller's
 */
export function customsByPaperOnly(request: BookingRequest, carrier: string, from: string): readonly ValidationIssue[] {
  const crosses = crossesCustoms({ countryCode: from, postalCode: null }, request.recipient.address);
  const country = request.recipient.address.countryCode ?? '';
  return when(crosses && request.options.customs !== 'papers', 'customs', { country, carrier });
}

/**
 * Whether papers that Waybridge makes travel with the parcels; not where a rule with `options: { customs: papers }` says
 * that they are made elsewhere.
 * @param from as `customsPapers.from` of the carrier's traits
 */
export function needsPapers({ sender, recipient, options }: BookingRequest, from?: string): boolean {
  const start = from === undefined ? sender.address : { countryCode: from, postalCode: null };
  return crossesCustoms(start, recipient.address) && options.customs !== 'papers';
}

/** What the papers ask for, by field of the goods. */
const PAPER_FIELDS = {
  description: 'customs-description',
  unitValue: 'customs-value',
  unitWeightGrams: 'customs-weight',
  tariffNumberAtDestination: 'customs-tariff-number',
  countryOfOrigin: 'customs-origin',
} as const satisfies Partial<Record<keyof Goods, string>>;

const MAX_NAMED_LINES = 5;

/**
 * For a carrier with the trait `customsPapers`: what the shipment lacks for them, each field with the lines that lack it.
 * @param from as `customsPapers.from`
 */
export function paperProblems(request: BookingRequest, from?: string): readonly ValidationIssue[] {
  if (!needsPapers(request, from)) return [];
  const { goods = [], recipient } = request;
  const country = recipient.address.countryCode ?? '';
  const lacking = Object.entries(PAPER_FIELDS).flatMap(([field, code]) => {
    const lines = goods.flatMap((one, index) => (one[field as keyof Goods] === null ? [lineName(one, index)] : []));
    return when(lines.length > 0, code, { country, lines: namesOf(lines) });
  });
  return [
    ...when(goods.length === 0, 'customs-no-lines', { country }),
    ...when(
      goods.some(({ currency }) => currency === null),
      'customs-currency',
      { country },
    ),
    ...lacking,
  ];
}

function lineName({ description }: Goods, index: number): string {
  return description ?? `#${index + 1}`;
}

function namesOf(lines: readonly string[]): string {
  const more = lines.length > MAX_NAMED_LINES ? ', …' : '';
  return `${lines.slice(0, MAX_NAMED_LINES).join(', ')}${more}`;
}

/**
 * The lines of the customs declaration, with tariff numbers in digits only; `null`: the shipment needs none, or a rule
 * says `customs: papers`, which are made elsewhere.
 */
export function declaredGoods({ sender, recipient, options, goods = [] }: BookingRequest): readonly Goods[] | null {
  if (options.customs === 'papers' || !crossesCustoms(sender.address, recipient.address)) return null;
  return goods.map((line) => ({
    ...line,
    tariffNumberAtDestination: tariffDigits(line.tariffNumberAtDestination),
    tariffNumberAtOrigin: tariffDigits(line.tariffNumberAtOrigin),
  }));
}

/** `61.09.10` as `610910`; `null`: it has no digit. */
function tariffDigits(tariffNumber: string | null): string | null {
  return tariffNumber?.replace(/\D/g, '') || null;
}

/** Value and weight of all pieces of a line. */
export function lineTotals({ quantity, unitValue, unitWeightGrams }: Goods) {
  const value = Number((quantity * Number(unitValue)).toFixed(2));
  return { value, weightGrams: quantity * (unitWeightGrams ?? 0) };
}

/** The value of all lines, in their currency. */
export function totalValue(lines: readonly Goods[]): number {
  return Number(lines.reduce((sum, line) => sum + lineTotals(line).value, 0).toFixed(2));
}

/** A carrier's names for the parts of a line of a declaration, whose weight and value are those of all pieces. */
export type LineNames = Readonly<
  Record<'quantity' | 'description' | 'tariffNumber' | 'kilograms' | 'value' | 'currency' | 'origin', string>
>;

/** A line under a carrier's names. @param description as the carrier takes it */
export function declaredLine(goods: Goods, description: string, names: LineNames) {
  const { value, weightGrams } = lineTotals(goods);
  return {
    ...{ [names.quantity]: goods.quantity, [names.description]: description },
    [names.tariffNumber]: tariffDigits(goods.tariffNumberAtDestination) ?? undefined,
    ...{ [names.kilograms]: kilograms(weightGrams), [names.value]: value },
    ...{ [names.currency]: goods.currency, [names.origin]: goods.countryOfOrigin },
  };
}

/**
 * `customs-no-lines` and `customs-data`, for a carrier that declares the goods: each line needs everything.
 * @param lines that the carrier declares; `null`: none
 * @param fewestDigits the fewest digits of a tariff number that the carrier takes
 */
export function declarationProblems(
  request: BookingRequest,
  lines: readonly Goods[] | null = declaredGoods(request),
  fewestDigits = 1,
): readonly ValidationIssue[] {
  const country = request.recipient.address.countryCode ?? '';
  const unclear = (lines ?? []).flatMap((goods, index) => {
    const fields = missingIn(goods, fewestDigits).join(', ');
    const text = `Goods for ${country} need a customs declaration, and "${goods.description ?? `line ${index + 1}`}" has no ${fields}: add it to the product.`;
    const line = goods.description ?? `#${index + 1}`;
    return inWords(text, when(fields !== '', 'customs-data', { country, line }));
  });
  return [...when(lines?.length === 0, 'customs-no-lines', { country }), ...unclear];
}

function missingIn(goods: Goods, digits: number): readonly string[] {
  const tariff = tariffDigits(goods.tariffNumberAtDestination);
  const fields = {
    description: goods.description,
    value: goods.unitValue,
    currency: goods.currency,
    weight: goods.unitWeightGrams,
    [digits > 1 ? `tariff number of at least ${digits} digits` : 'tariff number']:
      (tariff?.length ?? 0) < digits ? null : tariff,
    'country of origin': goods.countryOfOrigin,
  };
  return Object.entries(fields).flatMap(([field, value]) => (value === null ? [field] : []));
}
