import { listAt, nordicTimeZone, said, textAt, valueAt } from '../../toolkit/index.js';
import type { CodedRule, RuleRow } from '../../toolkit/simulator/index.js';
import { breachesOf, coded, declarationRows, hasItems, isFilled, isFrom } from '../../toolkit/simulator/index.js';
import { isPostalCodeOf, isSent, isUpTo, isWithin, under } from '../../toolkit/simulator/index.js';
import { MAX_PACKAGES } from '../booking.js';
import { FORMS, NATURES, SALE } from '../customs.js';
import { FIELDS } from '../fields.js';
import { NOTIFICATION, SERVICES, productNamed } from '../services.js';

type Rows = readonly RuleRow<CodedRule>[];
type Product = ReturnType<typeof productNamed>;

export const PRODUCTS: ReadonlySet<string> = new Set([
  ...SERVICES.flatMap(({ code, productionCode }) => [code, productionCode]),
  ...`BUSINESS_PALLET BUSINESS_HALFPALLET BUSINESS_QUARTERPALLET EXPRESS_NORDIC_0900 EXPRESS_NORDIC_0900_BULK SINGLE_INDOOR
  CURBSIDE_EVENING 0335 0334 0336 0360 9000 9300 9350 9600 5100 5200 5300 5400 9100 3150 3457 3332`.split(/\s+/),
]);

/** Bring's code for everything that has none of its own. */
const BAD_REQUEST = 'BOOK-INPUT-001';
/** "Now" has gone by when the request is read, and clients that send it are booked: an assumption (README). */
const PAST_TOLERANCE_MS = 300_000;

const needed = (code: string) => coded(isFilled, code, 'is missing');
const valid = (isMet: CodedRule['isMet'], text: string) => coded(isMet, BAD_REQUEST, text);
const only = (isMeant: boolean, ...paths: readonly string[]) => (isMeant ? paths : []);
const postalCodeOf = (country: string | null, who: string) =>
  coded(isPostalCodeOf(country), `BOOK-INPUT-057-${who}`, 'is not one of the country');
const LINE = valid(isUpTo(FIELDS.name.longest), `is longer than ${FIELDS.name.longest}`);

function partyRules(role: 'sender' | 'recipient'): Rows {
  const [party, suffix] = [`parties.${role}?`, role.toUpperCase()];
  return [
    [needed(`BOOK-INPUT-014-${suffix}`), `${party}.name`],
    [needed(`BOOK-INPUT-015-${suffix}`), `${party}.addressLine`],
    [needed(`BOOK-INPUT-016-${suffix}`), `${party}.city`],
    [needed(`BOOK-INPUT-017-${suffix}`), `${party}.countryCode`],
    [LINE, ...under(party, 'name', 'addressLine', 'addressLine2', 'postalCode', 'city', 'reference')],
  ];
}

const isAddressed = (service: unknown): boolean =>
  textAt(service, 'id') !== NOTIFICATION || said(textAt(service, 'email'), textAt(service, 'mobile')).length > 0;

const OF_REQUEST: Rows = [
  [valid((version) => version === 1, 'must be 1'), 'schemaVersion'],
  [coded((flag) => typeof flag === 'boolean', 'BOOK-INPUT-030', 'is missing'), 'testIndicator'],
  [coded(hasItems(1, 1), 'BOOK-INPUT-005', 'must be only one'), 'consignments'],
];

const OF_CONSIGNMENT: Rows = [
  [needed('BOOK-INPUT-012'), 'shippingDateTime'],
  [needed('BOOK-INPUT-006'), 'parties.sender'],
  [needed('BOOK-INPUT-007'), 'parties.recipient'],
  ...partyRules('sender'),
  ...partyRules('recipient'),
  [needed('PICKUP-INPUT-011'), ...under('parties.pickupPoint?', 'id', 'countryCode')],
  [coded((id) => PRODUCTS.has(`${id as string}`), 'BOOK-INPUT-020', 'is no product'), 'product.id'],
  [needed('BOOK-INPUT-019'), 'product.customerNumber'],
  [coded(isAddressed, 'BOOK_VALIDATION-002', 'needs a mobile or an e-mail'), 'product.additionalServices?.*'],
  [valid(hasItems(1, MAX_PACKAGES), `must be 1 to ${MAX_PACKAGES}`), 'packages'],
  [coded(isWithin(0, Infinity), 'BOOK-INPUT-002', 'is missing'), 'packages.*.weightInKg'],
];

/** The rules of a value that depend on others. */
function rulesFor(consignment: unknown, now: Date): Rows {
  const countries = ['sender', 'recipient'].map((role) => textAt(consignment, 'parties', role, 'countryCode'));
  const [sender = null, recipient = null] = countries;
  const product = productNamed(textAt(consignment, 'product', 'id') ?? '');
  const earliest = new Date(now.getTime() - PAST_TOLERANCE_MS);
  const maxKg = product.maxGramsTo(recipient ?? '') / 1000;
  return [
    [valid(isFrom(earliest, nordicTimeZone(sender)), 'is in the past'), 'shippingDateTime?'],
    [postalCodeOf(sender, 'SENDER'), 'parties.sender?.postalCode'],
    [postalCodeOf(recipient, 'RECIPIENT'), 'parties.recipient?.postalCode'],
    [coded((at) => at === recipient, 'PICKUP-INPUT-012', "is not the recipient's"), 'parties.pickupPoint?.countryCode'],
    [needed(BAD_REQUEST), ...only(!product.is('mailbox', 'return'), 'parties.sender.contact.phoneNumber')],
    [needed('BOOK-INPUT-065'), ...only(product.is('needs-incoterms'), 'product.incotermRule')],
    [coded((kg) => Number(kg ?? 0) <= maxKg, 'BOOK-INPUT-023', 'is too heavy'), 'packages.*.weightInKg'],
    [needed('BOOK-INPUT-013'), ...only(sender === 'FI', 'packages.*.dimensions')],
    ...customsRows(consignment, product, { isExport: sender === 'NO' && recipient !== 'NO', maxKg }),
  ];
}

const CODES = { missing: 'BOOK_VALIDATION-012', nature: 'BOOK_VALIDATION-013', weight: 'BOOK_VALIDATION-015' };
const OF_DECLARATION = {
  codes: { ...CODES, invalid: BAD_REQUEST },
  natures: NATURES,
  longest: FIELDS.goodsDescription.longest,
};

function customsRows(consignment: unknown, { is }: Product, shipped: { isExport: boolean; maxKg: number }): Rows {
  const information = valueAt(consignment, 'customsInformation');
  const isDeclared = isSent(information) || isSent(valueAt(consignment, 'product', 'ediCustomsDeclarations'));
  const isLacking = shipped.isExport && is('declared-from-Norway') && !isDeclared;
  const isVoec = isSent(valueAt(information, 'voec'));
  const maxKg = shipped.maxKg * listAt(consignment, 'packages').length;
  return [
    [coded(() => !isLacking, 'BOOK_VALIDATION-014', 'needs customs declarations'), 'product'],
    ...Object.values(FORMS).flatMap((form) => declarationRows(consignment, form, { ...OF_DECLARATION, maxKg })),
    [valid((given) => given === true, 'must be true'), 'customsInformation?.consent'],
    [needed(BAD_REQUEST), ...only(isSent(information), ...under('parties', 'importer.name', 'exporter.name'))],
    [valid((given) => given === SALE, `must be ${SALE}`), ...only(isVoec, 'customsInformation.natureOfCargo.type')],
    [needed(BAD_REQUEST), ...only(isVoec && !is('ungrouped'), 'customsInformation.consolidatedShipmentId')],
  ];
}

/** Why this booking is refused, with Bring's own codes and the correlation id of the package; empty when it is not. */
export function violationsIn(body: unknown, now: Date) {
  const [consignment] = listAt(body, 'consignments');
  const rules = [...OF_CONSIGNMENT, ...rulesFor(consignment, now)];
  const breaches = [...breachesOf(body, OF_REQUEST), ...breachesOf(consignment, rules)];
  return breaches.map(({ rule: { code, text }, path: [part = '', place = ''], field }) => ({
    code,
    packageCorrelationId: part === 'packages' ? textAt(consignment, part, place, 'correlationId') : null,
    messages: [{ lang: 'en', message: `${field} ${text}` }],
  }));
}
