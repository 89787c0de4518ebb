import { codesFor, isReachable, listAt, nordicTimeZone, numberAt, textAt } from '../toolkit/index.js';
import { utcOffsetWithoutColon, valueAt } from '../toolkit/index.js';
import type { BookedEntry, Books, CodedRule, Reply, RouteContext, RuleRow } from '../toolkit/simulator/index.js';
import { aboutBooking, breachesOf, coded, declarationRows, eventRow, hasAny } from '../toolkit/simulator/index.js';
import { hasItems, isFilled, isFrom, isPostalCodeOf, isSent, isUpTo, isWithin } from '../toolkit/simulator/index.js';
import { json, matches, pdf, pointRow, readBooking, redirect, shipmentRow } from '../toolkit/simulator/index.js';
import { simulateCarrier, simulatedPoints, text, under } from '../toolkit/simulator/index.js';
import { MAX_PACKAGES } from './booking.js';
import { FORMS, NATURES, SALE } from './customs.js';
import { POINT } from './questions.js';
import { FIELDS, NEEDS_A_PERSON, NORDIC, NOTIFICATION, SERVICES, UNATTENDED } from './services.js';
import { productNamed, toService } from './services.js';
import { EVENT, SECRET_HEADER, SHIPMENTS, STATUSES, consumerPage } from './tracking.js';

/** Bring has no word for parcels that are lost or cancelled. */
const WORDS = codesFor(STATUSES, {
  ...{ 'lost-or-damaged': 'DEVIATION', cancelled: 'DEVIATION', unrecognised: 'SORTED_BY_ROBOT' },
});
const WRITING = { codes: WORDS, timeOf: (at: Date) => at.toISOString(), place: 'city' };

const fileOf = ({ carrierNumber }: BookedEntry, books: Books) => `${books.next('label', carrierNumber ?? '')}.pdf`;
const stored = aboutBooking(
  ({ params, books }) => books.entries.find((entry) => fileOf(entry, books) === params['file']),
  () => text('Not found', 404),
);

/** Bring's Booking and Tracking API over real HTTP; a booking is in tracking at once. Every key but `wrong` is let in. */
export const startBringSimulator = simulateCarrier({
  ...{ carrier: 'bring', carrierName: 'Bring' },
  series: {
    booking: { prefix: '7', length: 17 },
    parcel: { prefix: '37', length: 18 },
    label: { prefix: '11111111-2222-4333-8444-', length: 36 },
  },
  open: {
    'GET /labels/id/:file': ({ params, settings: { publicUrl } }) =>
      redirect(`${publicUrl}/labels/storage/${params['file']}`),
    'GET /labels/storage/:file': stored(async (entry, { books }) => pdf(await books.labels(entry))),
  },
  // Bring answers an unknown user in plain text.
  authenticate: ({ header }) => {
    if (!header('x-mybring-api-uid') || /^(wrong)?$/.test(header('x-mybring-api-key')))
      return text('Authentication failed. Check the API user and the API key.', 401);
    return header('x-bring-client-url') ? null : text('X-Bring-Client-URL is missing.', 400);
  },
  routes: {
    // The documented path, and an older one that still answers.
    'POST /booking/api/booking': answerBooking,
    'POST /booking-api/api/booking': answerBooking,
    'GET /booking/api/customers.json': () => json({ customers: [] }),
    'POST /shippingguide/api/v2/products': answerQuote,
    'GET /pickuppoint/api/pickuppoint/:countryCode/postalCode/:postalCode.json': answerPoints,
    'GET /pickuppoint/api/pickuppoint/:countryCode/id/:id.json': answerPoints,
    'GET /tracking/api/v2/tracking.json': answerTracking,
  },
  // As Event Cast calls.
  callback: ({ id, status, at, trackingNumber }, { secret, sentAt }, books) => {
    const shipment = books.byParcel(trackingNumber)?.carrierNumber;
    const about = { status: WORDS[status], id, shipment, package: trackingNumber };
    const times = { created: utcOffsetWithoutColon(at), pushed: utcOffsetWithoutColon(sentAt) };
    const headers = { 'x-bring-application': 'BMEC', 'x-bring-version': '1', [SECRET_HEADER]: secret };
    return { headers, body: JSON.stringify({ ...about, ...times }) };
  },
});

function answerBooking({ body, books, settings }: RouteContext): Reply {
  const [consignment] = listAt(body, 'consignments');
  const correlationId = textAt(consignment, 'correlationId');
  const errors = violationsIn(body, settings.now());
  if (errors.length > 0) return json({ consignments: [{ correlationId, confirmation: null, errors }] }, 400);
  const entry = book(consignment, books);
  const labels = `${settings.publicUrl}/labels/id/${fileOf(entry, books)}`;
  const confirmation = {
    consignmentNumber: entry.carrierNumber,
    links: { labels, tracking: consumerPage(entry.carrierNumber ?? '') },
    packages: listAt(consignment, 'packages').map((each, place) => {
      return { packageNumber: entry.trackingNumbers[place], correlationId: textAt(each, 'correlationId') };
    }),
  };
  return json({ consignments: [{ correlationId, confirmation, errors: null }] });
}

function book(consignment: unknown, books: Books): BookedEntry {
  const booking = readBooking(consignment, {
    ...{ reference: 'parties.sender.reference', sender: 'parties.sender', recipient: 'parties.recipient' },
    lines: ['name', 'addressLine', 'addressLine2', 'postalCode city', 'countryCode'],
    ...{ service: 'product.id', parcels: 'packages', parcel: { kilograms: 'weightInKg' } },
  });
  return books.book({ ...booking, order: productNamed(booking.service).is('return') ? 'return' : 'real' });
}

const PRODUCTS: ReadonlySet<string> = new Set([
  ...SERVICES.flatMap(({ code, productionCode }) => [code, productionCode]),
  ...`BUSINESS_PALLET BUSINESS_HALFPALLET BUSINESS_QUARTERPALLET EXPRESS_NORDIC_0900 EXPRESS_NORDIC_0900_BULK SINGLE_INDOOR
  CURBSIDE_EVENING 0335 0334 0336 0360 3570 3639 9000 9300 9350 9600
  5100 5200 5300 5400 9100 3150 3457 3332`.split(/\s+/),
]);

type Rows = readonly RuleRow<CodedRule>[];
type Product = ReturnType<typeof productNamed>;

/** Bring's code for everything that has none of its own. */
const BAD_REQUEST = 'BOOK-INPUT-001';
/** "Now" has gone by when the request is read, and clients that send it are booked: an assumption (README). */
const PAST_TOLERANCE_MS = 300_000;

const needed = (code: string) => coded(isFilled, code, 'is missing');
const valid = (isMet: CodedRule['isMet'], text: string) => coded(isMet, BAD_REQUEST, text);
const only = (isMeant: boolean, ...paths: readonly string[]) => (isMeant ? paths : []);
const upTo = ({ longest }: { readonly longest: number }) => valid(isUpTo(longest), `is longer than ${longest}`);

function partyRules(role: 'sender' | 'recipient', missing: string, country: string): Rows {
  const [party, suffix] = [`parties.${role}?`, role.toUpperCase()];
  return [
    [needed(missing), `parties.${role}`],
    [needed(`BOOK-INPUT-014-${suffix}`), `${party}.name`],
    [needed(`BOOK-INPUT-015-${suffix}`), `${party}.addressLine`],
    [needed(`BOOK-INPUT-016-${suffix}`), `${party}.city`],
    [needed(`BOOK-INPUT-017-${suffix}`), `${party}.countryCode`],
    [coded(isPostalCodeOf(country), `BOOK-INPUT-057-${suffix}`, 'is not one of the country'), `${party}.postalCode`],
    [upTo(FIELDS.email), `${party}.contact?.email`],
    [upTo(FIELDS.additionalAddressInfo), `${party}.additionalAddressInfo`],
    [upTo(FIELDS.name), ...under(party, 'name', 'addressLine', 'addressLine2', 'postalCode', 'city', 'reference')],
  ];
}

const isAddressed = (each: unknown) =>
  toService(each).id !== NOTIFICATION || isReachable(textAt(each, 'email'), textAt(each, 'mobile'));
const isReached = hasAny('email', 'phoneNumber');
const isIncoterm = matches(/^(DDP|DAP|FCA|EXW)$/);

const OF_REQUEST: Rows = [
  [valid((version) => version === 1, 'must be 1'), 'schemaVersion'],
  [coded((flag) => typeof flag === 'boolean', 'BOOK-INPUT-030', 'is missing'), 'testIndicator'],
  [coded(hasItems(1, 1), 'BOOK-INPUT-005', 'must be only one'), 'consignments'],
];

function rulesOf(consignment: unknown, now: Date): Rows {
  const countryOf = (role: string) => textAt(consignment, 'parties', role, 'countryCode') ?? '';
  const [sender, recipient] = [countryOf('sender'), countryOf('recipient')];
  const product = productNamed(textAt(consignment, 'product', 'id') ?? '');
  const hasPoint = isSent(valueAt(consignment, 'parties', 'pickupPoint'));
  const [earliest, maxKg] = [new Date(now.getTime() - PAST_TOLERANCE_MS), product.maxGramsTo(recipient) / 1000];
  const sizes = ['dimensions', 'volumeInDm3', ...only(product.is('cargo'), 'loadMeters', 'numberOfPallets')];
  const services = listAt(consignment, 'product', 'additionalServices').map((each) => toService(each).id ?? '');
  const isHandedOver = product.isHandedOverIn(recipient) || services.some((id) => NEEDS_A_PERSON.includes(id));
  return [
    [needed('BOOK-INPUT-012'), 'shippingDateTime'],
    [valid(isFrom(earliest, nordicTimeZone(sender)), 'is in the past'), 'shippingDateTime?'],
    ...partyRules('sender', 'BOOK-INPUT-006', sender),
    ...partyRules('recipient', 'BOOK-INPUT-007', recipient),
    [needed(BAD_REQUEST), ...only(!product.is('mailbox', 'return'), 'parties.sender.contact.phoneNumber')],
    [needed('PICKUP-INPUT-011'), ...under('parties.pickupPoint?', 'id', 'countryCode')],
    [coded((at) => at === recipient, 'PICKUP-INPUT-012', "is not the recipient's"), 'parties.pickupPoint?.countryCode'],
    [coded(isReached, 'BOOK_VALIDATION-011', 'needs e-mail or phone'), ...only(hasPoint, 'parties.recipient.contact')],
    [coded((id) => PRODUCTS.has(`${id as string}`), 'BOOK-INPUT-020', 'is no product'), 'product.id'],
    [coded(() => product.isOffered(sender, recipient), 'BOOK-INPUT-025', 'is not offered there'), 'product.id'],
    [needed('BOOK-INPUT-019'), 'product.customerNumber'],
    [coded(isIncoterm, 'BOOK-INPUT-065', 'is none'), ...only(product.is('needs-incoterms'), 'product.incotermRule')],
    [coded(isAddressed, 'BOOK_VALIDATION-002', 'needs a valid mobile or e-mail'), 'product.additionalServices?.*'],
    [valid(() => !isHandedOver || !services.includes(UNATTENDED), 'exclude 0041'), 'product.additionalServices?'],
    [valid(hasItems(1, MAX_PACKAGES), `must be 1 to ${MAX_PACKAGES}`), 'packages'],
    [coded(isWithin(0, Infinity), 'BOOK-INPUT-002', 'is missing'), 'packages.*.weightInKg'],
    [coded((kg) => Number(kg ?? 0) <= maxKg, 'BOOK-INPUT-023', 'is too heavy'), 'packages.*.weightInKg'],
    [upTo(FIELDS.goodsDescription), 'packages.*.goodsDescription', 'packages.*.containerId', 'product.customerNumber'],
    [coded(hasItems(1, 1), 'BOOK-INPUT-032', 'must be only one'), ...only(product.is('mailbox'), 'packages')],
    [needed('BOOK-INPUT-013'), ...only(sender === 'FI', 'packages.*.dimensions')],
    [coded(hasAny(...sizes), 'BOOK-INPUT-013', 'has no size'), ...only(product.is('measured'), 'packages.*')],
    ...customsRows(consignment, product, { isExport: sender === 'NO' && recipient !== 'NO', maxKg }),
  ];
}

const DECLARED = { missing: 'BOOK_VALIDATION-012', nature: 'BOOK_VALIDATION-013', weight: 'BOOK_VALIDATION-015' };

function customsRows(consignment: unknown, { is }: Product, shipped: { isExport: boolean; maxKg: number }): Rows {
  const has = (path: string) => isSent(valueAt(consignment, ...path.split('.')));
  const information = ['customsInformation', 'product.customsInformation'].filter(has);
  const isDeclared = information.length > 0 || has('product.ediCustomsDeclarations');
  const isLacking = shipped.isExport && is('declared-from-Norway') && !isDeclared;
  const withVoec = information.filter((place) => has(`${place}.voec`));
  const maxKg = shipped.maxKg * listAt(consignment, 'packages').length;
  const { longest } = FIELDS.goodsDescription;
  const asked = { codes: { ...DECLARED, invalid: BAD_REQUEST }, natures: NATURES, longest, maxKg };
  return [
    [coded(() => !isLacking, 'BOOK_VALIDATION-014', 'needs customs declarations'), 'product'],
    ...Object.values(FORMS).flatMap((form) => declarationRows(consignment, form, asked)),
    [valid((given) => given === true, 'must be true'), ...under(information, 'consent')],
    [needed(BAD_REQUEST), ...only(information.length > 0, ...under('parties', 'importer.name', 'exporter.name'))],
    [valid((given) => given === SALE, `must be ${SALE}`), ...under(withVoec, 'natureOfCargo.type')],
    [needed(BAD_REQUEST), ...only(!is('ungrouped'), ...under(withVoec, 'consolidatedShipmentId'))],
  ];
}

/** Why this booking is refused, with Bring's own codes and the correlation id of the package; empty when it is not. */
export function violationsIn(body: unknown, now: Date) {
  const [consignment] = listAt(body, 'consignments');
  const breaches = [...breachesOf(body, OF_REQUEST), ...breachesOf(consignment, rulesOf(consignment, now))];
  return breaches.map(({ rule: { code, text }, path: [part = '', place = ''], field }) => ({
    code,
    packageCorrelationId: part === 'packages' ? textAt(consignment, part, place, 'correlationId') : null,
    messages: [{ lang: 'en', message: `${field} ${text}` }],
  }));
}

function answerTracking({ books, query }: RouteContext): Reply {
  const found = books.named(query.q ?? '').map((entry) => toTracked(entry, books));
  const none = { error: { code: 404, message: 'No shipments found' } };
  return json({ apiVersion: '2', consignmentSet: found.length > 0 ? found : [none] });
}

function toTracked(entry: BookedEntry, books: Books): object {
  // A package that does not travel is announced, and that is all.
  const announced = { status: 'PRE_NOTIFIED', description: 'We are informed', dateIso: entry.bookedAt.toISOString() };
  return shipmentRow(entry, SHIPMENTS, (packageNumber) => {
    const eventSet = books.events(packageNumber).map((event) => eventRow(event, EVENT, WRITING));
    return { eventSet: eventSet.length > 0 ? eventSet.reverse() : [announced] };
  });
}

/** The answer of the Shipping Guide as the simulator makes prices: by weight, and dearer across borders. */
function answerQuote({ body }: RouteContext): Reply {
  const consignment = valueAt(body, 'consignments', 0);
  const places = ['fromCountryCode', 'fromPostalCode', 'toCountryCode', 'toPostalCode'];
  const missing = breachesOf(consignment, [[coded(isFilled, 'REQUIRED', 'is required'), ...places]]);
  const fieldErrors = missing.map(({ rule, field }) => ({ code: rule.code, message: `${field} ${rule.text}`, field }));
  if (fieldErrors.length > 0) return json({ fieldErrors }, 400);
  const products = listAt(consignment, 'products').map((product) => toProduct(consignment, product));
  return json({ consignments: [{ products }] });
}

function toProduct(consignment: unknown, product: unknown): unknown {
  const id = textAt(product, 'id') ?? '';
  if (!PRODUCTS.has(id)) return { id, errors: [{ code: 'INVALID_PRODUCT', description: `Invalid product ${id}` }] };
  const weights = listAt(consignment, 'packages').map((each) => numberAt(each, 'grossWeight') ?? 0);
  const grams = weights.reduce((sum, each) => sum + each, 0);
  const abroad = textAt(consignment, 'fromCountryCode') !== textAt(consignment, 'toCountryCode');
  const kroner = 45 + 4 * Math.ceil(grams / 1000) + (abroad ? 60 : 0);
  return {
    id,
    price: { netPrice: { priceWithAdditionalServices: { amountWithoutVAT: `${kroner}.00` }, currencyCode: 'DKK' } },
    expectedDelivery: { workingDays: abroad ? '3' : '1' },
  };
}

function answerPoints({ params, query: { numberOfResponses: limit } }: RouteContext): Reply {
  const points = NORDIC.includes(params.countryCode ?? '') ? simulatedPoints({ ...params, limit }) : [];
  const pickupPoint = points.map((each) => ({ ...pointRow(each, POINT), openingHoursEnglish: 'Mon - Fri: 1100-1800' }));
  return pickupPoint.length > 0 ? json({ pickupPoint }) : text('Not found', 404);
}
