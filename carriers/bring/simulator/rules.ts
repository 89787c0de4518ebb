import { listAt, numberAt, textAt, valueAt } from '../../toolkit/json.js';
import { localDateTime } from '../../toolkit/local-time.js';
import { MAX_PACKAGES, timeZoneOf } from '../booking.js';
import { FIELDS } from '../fields.js';

/** An error of the simulated Booking API, with Bring's own codes. */
export interface Complaint {
  readonly code: string;
  readonly message: string;
  /** The package's correlation id. */
  readonly packageId?: string;
}

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
const WITHOUT_SENDER_PHONE = /^(3584|9\d00|9350|.*_RETURN(_BULK)?|03[34][13])$/;

/** Why this booking is refused; empty when it is not. */
export function complaintsAbout(body: unknown, now: Date): readonly Complaint[] {
  const consignments = listAt(body, 'consignments');
  const [consignment] = consignments;
  return [
    ...unless(valueAt(body, 'schemaVersion') === 1, BAD_REQUEST, 'schemaVersion must be 1'),
    ...unless(typeof valueAt(body, 'testIndicator') === 'boolean', 'BOOK-INPUT-030', 'testIndicator is missing'),
    ...unless(consignments.length === 1, 'BOOK-INPUT-005', 'Only one consignment is allowed'),
    ...aboutTime(consignment, now),
    ...aboutParty(consignment, 'sender'),
    ...aboutParty(consignment, 'recipient'),
    ...aboutSenderPhone(consignment),
    ...aboutPickUpPoint(consignment),
    ...aboutProduct(consignment),
    ...aboutPackages(consignment),
  ];
}

/**
 * "Now" has gone by when the request is read, and clients that send it are booked: an assumption, see this folder's README.
 */
const PAST_TOLERANCE_MS = 300_000;
const IN_THE_PAST = 'Shipping date and time is in the past';

/** Local time as text, or milliseconds since 1970. */
function aboutTime(consignment: unknown, now: Date): readonly Complaint[] {
  const time = textAt(consignment, 'shippingDateTime');
  if (time === null) return [{ code: 'BOOK-INPUT-012', message: 'Shipping date and time is missing' }];
  const earliest = new Date(now.getTime() - PAST_TOLERANCE_MS);
  const millis = numberAt(consignment, 'shippingDateTime');
  if (millis !== null) return unless(millis >= earliest.getTime(), BAD_REQUEST, IN_THE_PAST);
  const sender = textAt(consignment, 'parties', 'sender', 'countryCode');
  const readable = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(time);
  return unless(readable && time >= localDateTime(earliest, timeZoneOf(sender)), BAD_REQUEST, IN_THE_PAST);
}

const MISSING_FIELDS: readonly (readonly [field: string, code: string])[] = [
  ['name', 'BOOK-INPUT-014'],
  ['addressLine', 'BOOK-INPUT-015'],
  ['city', 'BOOK-INPUT-016'],
  ['countryCode', 'BOOK-INPUT-017'],
];
const MAX_TEXT_LENGTH = FIELDS.name.longest;
const SHORT_FIELDS = ['name', 'addressLine', 'addressLine2', 'postalCode', 'city', 'reference'];

function aboutParty(consignment: unknown, who: 'sender' | 'recipient'): readonly Complaint[] {
  const party = valueAt(consignment, 'parties', who);
  const suffix = `-${who.toUpperCase()}`;
  if (!party) return [{ code: who === 'sender' ? 'BOOK-INPUT-006' : 'BOOK-INPUT-007', message: `${who} is missing` }];
  const missing = MISSING_FIELDS.flatMap(([field, code]) =>
    unless(textAt(party, field) !== null, code + suffix, `${field} is missing`),
  );
  const long = SHORT_FIELDS.flatMap((field) =>
    unless(
      (textAt(party, field) ?? '').length <= MAX_TEXT_LENGTH,
      BAD_REQUEST,
      `${who}.${field} is longer than ${MAX_TEXT_LENGTH} characters`,
    ),
  );
  return [...missing, ...long, ...unless(hasPostalCode(party), `BOOK-INPUT-057${suffix}`, 'Invalid postal Code')];
}

/** No country has a postal code of zeros; in Denmark and Norway it has four digits. */
function hasPostalCode(party: unknown): boolean {
  const code = textAt(party, 'postalCode') ?? '';
  if (/^0*$/.test(code)) return false;
  return !['DK', 'NO'].includes(textAt(party, 'countryCode') ?? '') || /^\d{4}$/.test(code);
}

function aboutSenderPhone(consignment: unknown): readonly Complaint[] {
  const phone = textAt(consignment, 'parties', 'sender', 'contact', 'phoneNumber');
  const free = WITHOUT_SENDER_PHONE.test(textAt(consignment, 'product', 'id') ?? '');
  return unless(free || phone !== null, BAD_REQUEST, "The sender's phone number is missing");
}

function aboutPickUpPoint(consignment: unknown): readonly Complaint[] {
  const point = valueAt(consignment, 'parties', 'pickupPoint');
  if (point === undefined || point === null) return [];
  const country = textAt(point, 'countryCode');
  const recipient = textAt(consignment, 'parties', 'recipient', 'countryCode');
  return [
    ...unless(textAt(point, 'id') !== null && country !== null, 'PICKUP-INPUT-011', 'Id and country are needed'),
    ...unless(country === recipient, 'PICKUP-INPUT-012', 'The pick-up point is not in the country of the recipient'),
  ];
}

function aboutProduct(consignment: unknown): readonly Complaint[] {
  const id = textAt(consignment, 'product', 'id') ?? '';
  const unaddressed = listAt(consignment, 'product', 'additionalServices').some(
    (service) => textAt(service, 'id') === 'EVARSLING' && !textAt(service, 'email') && !textAt(service, 'mobile'),
  );
  const incoterm = textAt(consignment, 'product', 'incotermRule');
  return [
    ...unless(PRODUCTS.has(id), 'BOOK-INPUT-020', `Invalid product ${id}`),
    ...unless(
      textAt(consignment, 'product', 'customerNumber') !== null,
      'BOOK-INPUT-019',
      'Customer number is missing',
    ),
    ...unless(!unaddressed, 'BOOK_VALIDATION-002', 'Notification needs a valid mobile number or e-mail address'),
    ...unless(id !== 'CARGO_INTERNATIONAL' || incoterm !== null, 'BOOK-INPUT-065', 'Incoterm rule is missing'),
  ];
}

function aboutPackages(consignment: unknown): readonly Complaint[] {
  const packages = listAt(consignment, 'packages');
  return [
    ...unless(packages.length > 0, BAD_REQUEST, 'There are no packages'),
    ...unless(packages.length <= MAX_PACKAGES, BAD_REQUEST, `There are more than ${MAX_PACKAGES} packages`),
    ...packages.flatMap((each) => aboutPackage(consignment, each)),
  ];
}

function aboutPackage(consignment: unknown, each: unknown): readonly Complaint[] {
  const weightInKg = numberAt(each, 'weightInKg') ?? 0;
  const danish = textAt(consignment, 'parties', 'recipient', 'countryCode') === 'DK';
  const limited = danish && DANISH_PICK_UP.has(textAt(consignment, 'product', 'id') ?? '');
  const finnish = textAt(consignment, 'parties', 'sender', 'countryCode') === 'FI';
  return [
    ...unless(weightInKg > 0, 'BOOK-INPUT-002', 'Weight is missing'),
    ...unless(!limited || weightInKg <= DANISH_PICK_UP_MAX_KG, 'BOOK-INPUT-023', 'The package is too heavy'),
    ...unless(!finnish || Boolean(valueAt(each, 'dimensions')), 'BOOK-INPUT-013', 'Dimensions are missing'),
  ].map((complaint) => ({ ...complaint, packageId: textAt(each, 'correlationId') ?? '' }));
}

function unless(fine: boolean, code: string, message: string): readonly Complaint[] {
  return fine ? [] : [{ code, message }];
}
