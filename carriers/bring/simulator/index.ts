import { codesFor, listAt, numberAt, textAt, utcOffsetWithoutColon, valueAt } from '../../toolkit/index.js';
import type { BookedEntry, Books, Reply, RouteContext } from '../../toolkit/simulator/index.js';
import { aboutBooking, breachesOf, coded, eventRow, isFilled, json, pdf, text } from '../../toolkit/simulator/index.js';
import { pointRow, readBooking, redirect, shipmentRow, simulateCarrier } from '../../toolkit/simulator/index.js';
import { simulatedPoints } from '../../toolkit/simulator/index.js';
import { KINDS, POINT } from '../questions.js';
import { NORDIC, productNamed } from '../services.js';
import { EVENT, SECRET_HEADER, SHIPMENTS, STATUSES, consumerPage } from '../tracking.js';
import { PRODUCTS, violationsIn } from './rules.js';

const DAY_MS = 86_400_000;
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
    complaint: { prefix: '0f0f0f0f-0000-4000-8000-', length: 36 },
  },
  open: {
    'GET /labels/id/:file': ({ params, settings: { publicUrl } }) =>
      redirect(`${publicUrl}/labels/storage/${params['file']}`),
    'GET /labels/storage/:file': stored(async (entry, { books }) => pdf(await books.labels(entry))),
  },
  // Who is not known is told so in plain text.
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
  const errors = violationsIn(body, settings.now()).map((violation) => {
    return { uniqueId: books.next('complaint'), consignmentCorrelationId: correlationId, ...violation };
  });
  if (errors.length > 0) return json({ consignments: [{ correlationId, confirmation: null, errors }] }, 400);
  const entry = book(consignment, books);
  const labels = `${settings.publicUrl}/labels/id/${fileOf(entry, books)}`;
  const confirmation = {
    ...{ consignmentNumber: entry.carrierNumber, productSpecificData: null },
    links: { labels, waybill: null, tracking: consumerPage(entry.carrierNumber ?? '') },
    dateAndTimes: { earliestPickup: null, expectedDelivery: settings.now().getTime() + DAY_MS },
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

function answerTracking({ books, query }: RouteContext): Reply {
  const isMeant = ({ reference, carrierNumber, trackingNumbers }: BookedEntry) =>
    [reference, carrierNumber, ...trackingNumbers].includes(query.q || 'none');
  const found = books.entries.filter(isMeant).map((entry) => toTracked(entry, books));
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
  return json({ consignments: [{ products }], traceMessages: [], uniqueId: 'simulated' });
}

function toProduct(consignment: unknown, product: unknown): unknown {
  const id = textAt(product, 'id') ?? '';
  if (!PRODUCTS.has(id)) return { id, errors: [{ code: 'INVALID_PRODUCT', description: `Invalid product ${id}` }] };
  const weights = listAt(consignment, 'packages').map((each) => numberAt(each, 'grossWeight') ?? 0);
  const grams = weights.reduce((sum, each) => sum + each, 0);
  const abroad = textAt(consignment, 'fromCountryCode') !== textAt(consignment, 'toCountryCode');
  const kroner = 45 + 4 * Math.ceil(grams / 1000) + (abroad ? 60 : 0);
  const amounts = { amountWithoutVAT: `${kroner}.00`, vat: `${kroner / 4}`, amountWithVAT: `${kroner * 1.25}` };
  const days = abroad ? 3 : 1;
  return {
    id,
    price: { netPrice: { priceWithAdditionalServices: amounts, currencyCode: 'DKK' } },
    expectedDelivery: { workingDays: `${days}`, expectedDeliveryDate: dateAfter(consignment, days) },
  };
}

function dateAfter(consignment: unknown, days: number): unknown {
  const partOf = (name: string) => Number(textAt(consignment, 'shippingDate', name));
  const date = new Date(Date.UTC(partOf('year'), partOf('month') - 1, partOf('day') + days));
  return { year: `${date.getUTCFullYear()}`, month: `${date.getUTCMonth() + 1}`, day: `${date.getUTCDate()}` };
}

function answerPoints({ params, query: { numberOfResponses: limit } }: RouteContext): Reply {
  const pickupPoint = simulatedPoints({ ...params, limit }).map((point) => {
    const [, type = ''] = KINDS[point.kind].find((each) => each.startsWith(point.countryCode))?.split(' ') ?? [];
    const own = { unitId: point.id, openingHoursEnglish: 'Mon - Fri: 1100-1800', type: type.padStart(3, '0') };
    return { ...pointRow(point, POINT), ...own, distanceInKm: `${point.distanceM / 1000}` };
  });
  const isServed = NORDIC.includes(params.countryCode ?? '') && pickupPoint.length > 0;
  return isServed ? json({ pickupPoint }) : text('Not found', 404);
}
