import { listAt, localDateTime, said, textAt, valueAt } from '../../toolkit/index.js';
import type { CodedRule, Rule, RuleRow } from '../../toolkit/simulator/index.js';
import { breachesOf, coded, hasItems, isFilled, isUpTo, isWithin, matches } from '../../toolkit/simulator/index.js';
import { MAX_PACKAGES, timeZoneOf } from '../booking.js';
import { FIELDS } from '../fields.js';

/** Bring's code for everything that has none of its own. */
const BAD_REQUEST = 'BOOK-INPUT-001';

export const PRODUCTS: ReadonlySet<string> = new Set(
  `PICKUP_PARCEL PICKUP_PARCEL_BULK HOME_DELIVERY_PARCEL BUSINESS_PARCEL BUSINESS_PARCEL_BULK BUSINESS_PALLET
  BUSINESS_HALFPALLET BUSINESS_QUARTERPALLET EXPRESS_NORDIC_0900 EXPRESS_NORDIC_0900_BULK PICKUP_PARCEL_RETURN
  PICKUP_PARCEL_RETURN_BULK BUSINESS_PARCEL_RETURN BUSINESS_PARCEL_RETURN_BULK DOUBLE_INDOOR SINGLE_INDOOR CURBSIDE
  CURBSIDE_EVENING CARGO_INTERNATIONAL 0340 0342 0349 0330 0332 0335 0334 0336 0341 0343 0331 0333 0360 5800 5600 5000
  4850 3584 9000 9300 9350 9600 5100 5200 5300 5400 9100 2870 3150 3123 3457 3332 3050`.split(/\s+/),
);
const DANISH_PICK_UP = new Set(['PICKUP_PARCEL', 'PICKUP_PARCEL_BULK', '0340', '0342']);
const DANISH_PICK_UP_MAX_KG = 20;
const RETURN = /^(9\d00|9350|.*_RETURN(_BULK)?|03[34][13])$/;
const MAILBOX = '3584';

/**
 * "Now" has gone by when the request is read, and clients that send it are booked: an assumption, see this folder's README.
 */
const PAST_TOLERANCE_MS = 300_000;

const CONSIGNMENT = 'consignments.0';

/** @param id of a product */
export function isReturn(id: string): boolean {
  return RETURN.test(id);
}

/** Why this booking is refused, with Bring's own codes and the correlation id of the package; empty when it is not. */
export function violationsIn(body: unknown, now: Date) {
  const [consignment] = listAt(body, 'consignments');
  const rules = [...bookingRules(consignment, now), ...productRules(consignment), ...packageRules(consignment)];
  return breachesOf(body, rules).map(({ rule, path, field }) => ({
    code: rule.code,
    message: `${field} ${rule.text}`,
    packageId: path.includes('packages') ? textAt(valueAt(body, ...path.slice(0, -1)), 'correlationId') : null,
  }));
}

function needed(code: string): CodedRule {
  return coded(isFilled, code, 'is missing');
}

function bookingRules(consignment: unknown, now: Date): readonly RuleRow<CodedRule>[] {
  const recipient = textAt(consignment, 'parties', 'recipient', 'countryCode');
  const point = `${CONSIGNMENT}.parties.pickupPoint?`;
  return [
    [coded((version) => version === 1, BAD_REQUEST, 'must be 1'), 'schemaVersion'],
    [coded((flag) => typeof flag === 'boolean', 'BOOK-INPUT-030', 'is missing'), 'testIndicator'],
    [coded(hasItems(1, 1), 'BOOK-INPUT-005', 'must be only one'), 'consignments'],
    [needed('BOOK-INPUT-012'), `${CONSIGNMENT}.shippingDateTime`],
    [coded(isToCome(consignment, now), BAD_REQUEST, 'is in the past'), `${CONSIGNMENT}.shippingDateTime?`],
    [needed('BOOK-INPUT-006'), `${CONSIGNMENT}.parties.sender`],
    [needed('BOOK-INPUT-007'), `${CONSIGNMENT}.parties.recipient`],
    ...partyRules('sender'),
    ...partyRules('recipient'),
    [needed('PICKUP-INPUT-011'), `${point}.id`, `${point}.countryCode`],
    [coded((country) => country === recipient, 'PICKUP-INPUT-012', "is not the recipient's"), `${point}.countryCode`],
  ];
}

/** Local time as text, or milliseconds since 1970. */
function isToCome(consignment: unknown, now: Date): Rule['isMet'] {
  const earliest = new Date(now.getTime() - PAST_TOLERANCE_MS);
  const sender = textAt(consignment, 'parties', 'sender', 'countryCode');
  const isLocal = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  return (time) =>
    typeof time === 'number'
      ? time >= earliest.getTime()
      : isLocal(time) && String(time) >= localDateTime(earliest, timeZoneOf(sender));
}

function partyRules(role: 'sender' | 'recipient'): readonly RuleRow<CodedRule>[] {
  const party = `${CONSIGNMENT}.parties.${role}?`;
  const suffix = `-${role.toUpperCase()}`;
  const short = ['name', 'addressLine', 'addressLine2', 'postalCode', 'city', 'reference'];
  const { longest } = FIELDS.name;
  return [
    [needed(`BOOK-INPUT-014${suffix}`), `${party}.name`],
    [needed(`BOOK-INPUT-015${suffix}`), `${party}.addressLine`],
    [needed(`BOOK-INPUT-016${suffix}`), `${party}.city`],
    [needed(`BOOK-INPUT-017${suffix}`), `${party}.countryCode`],
    [coded(isUpTo(longest), BAD_REQUEST, `is longer than ${longest}`), ...short.map((field) => `${party}.${field}`)],
    [coded(hasPostalCode, `BOOK-INPUT-057${suffix}`, 'has an invalid postal code'), party],
  ];
}

/** No country has a postal code of zeros; in Denmark and Norway it has four digits. */
function hasPostalCode(party: unknown): boolean {
  const code = textAt(party, 'postalCode') ?? '';
  if (/^0*$/.test(code)) return false;
  return !['DK', 'NO'].includes(textAt(party, 'countryCode') ?? '') || /^\d{4}$/.test(code);
}

function productRules(consignment: unknown): readonly RuleRow<CodedRule>[] {
  const id = textAt(consignment, 'product', 'id') ?? '';
  const product = `${CONSIGNMENT}.product`;
  const phone = isReturn(id) || id === MAILBOX ? [] : [`${CONSIGNMENT}.parties.sender.contact.phoneNumber`];
  const incoterm = id === 'CARGO_INTERNATIONAL' ? [`${product}.incotermRule`] : [];
  return [
    [needed(BAD_REQUEST), ...phone],
    [coded(() => PRODUCTS.has(id), 'BOOK-INPUT-020', 'is no product'), `${product}.id`],
    [needed('BOOK-INPUT-019'), `${product}.customerNumber`],
    [coded(isAddressed, 'BOOK_VALIDATION-002', 'needs a mobile or an e-mail'), `${product}.additionalServices?.*`],
    [needed('BOOK-INPUT-065'), ...incoterm],
  ];
}

function isAddressed(service: unknown): boolean {
  const isNotice = textAt(service, 'id') === 'EVARSLING';
  return !isNotice || said(textAt(service, 'email'), textAt(service, 'mobile')).length > 0;
}

function packageRules(consignment: unknown): readonly RuleRow<CodedRule>[] {
  const packages = `${CONSIGNMENT}.packages`;
  const isDanish = textAt(consignment, 'parties', 'recipient', 'countryCode') === 'DK';
  const isLimited = isDanish && DANISH_PICK_UP.has(textAt(consignment, 'product', 'id') ?? '');
  const isFinnish = textAt(consignment, 'parties', 'sender', 'countryCode') === 'FI';
  const maxKg = isLimited ? DANISH_PICK_UP_MAX_KG : Infinity;
  return [
    [coded(hasItems(1, MAX_PACKAGES), BAD_REQUEST, `must be 1 to ${MAX_PACKAGES}`), packages],
    [coded(isWithin(0, Infinity), 'BOOK-INPUT-002', 'is missing'), `${packages}.*.weightInKg`],
    [coded((kg) => Number(kg ?? 0) <= maxKg, 'BOOK-INPUT-023', 'is too heavy'), `${packages}.*.weightInKg`],
    [needed('BOOK-INPUT-013'), ...(isFinnish ? [`${packages}.*.dimensions`] : [])],
  ];
}
