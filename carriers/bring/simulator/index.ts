import { listAt, textAt } from '../../toolkit/index.js';
import type { BookedEntry, Books, NewBooking, Reply, RouteContext } from '../../toolkit/simulator/index.js';
import { json, pdf, readBooking, redirect, simulateCarrier, text } from '../../toolkit/simulator/index.js';
import { answerPoint, answerPointsNear } from './pickup-points.js';
import { shippingGuideAnswer } from './quotes.js';
import { isReturn, violationsIn } from './rules.js';
import { bringCall, toBringEvent } from './tracking.js';

const DAY_MS = 86_400_000;

/** Bring's Booking and Tracking API over real HTTP; a booking is in tracking at once. Every key but `wrong` is let in. */
export const startBringSimulator = simulateCarrier({
  carrier: 'bring',
  carrierName: 'Bring',
  series: {
    booking: { prefix: '7', length: 17 },
    parcel: { prefix: '37', length: 18 },
    label: { prefix: '11111111-2222-4333-8444-', length: 36 },
    complaint: { prefix: '0f0f0f0f-0000-4000-8000-', length: 36 },
  },
  open: {
    'GET /labels/id/:file': ({ params, settings }) =>
      redirect(`${settings.publicUrl}/labels/storage/${params['file']}`),
    'GET /labels/storage/:file': async ({ params, books }) => {
      const isMeant = ({ carrierNumber }: BookedEntry) => fileOf(carrierNumber, books) === params['file'];
      const entry = books.entries.find(isMeant);
      return entry ? pdf(await books.labels(entry)) : text('Not found', 404);
    },
  },
  // Who is not known is told so in plain text.
  authenticate: ({ header }) => {
    const key = header('x-mybring-api-key');
    if (!header('x-mybring-api-uid') || !key || key === 'wrong')
      return text('Authentication failed. Check the API user and the API key.', 401);
    return header('x-bring-client-url') ? null : text('X-Bring-Client-URL is missing.', 400);
  },
  routes: {
    // The documented path, and an older one that still answers.
    'POST /booking/api/booking': answerBooking,
    'POST /booking-api/api/booking': answerBooking,
    'GET /booking/api/customers.json': () => json({ customers: [] }),
    'POST /shippingguide/api/v2/products': ({ body }) => shippingGuideAnswer(body),
    'GET /pickuppoint/api/pickuppoint/:countryCode/postalCode/:file': answerPointsNear,
    'GET /pickuppoint/api/pickuppoint/:countryCode/id/:file': answerPoint,
    'GET /tracking/api/v2/tracking.json': answerTracking,
  },
  callback: (event, proof, books) => bringCall(event, proof, books.byParcel(event.trackingNumber)?.carrierNumber ?? ''),
});

const fileOf = (carrierNumber: string | null, books: Books) => `${books.next('label', carrierNumber ?? '')}.pdf`;

function answerBooking({ body, books, settings }: RouteContext): Reply {
  const [consignment] = listAt(body, 'consignments');
  const correlationId = textAt(consignment, 'correlationId');
  const errors = violationsIn(body, settings.now()).map(({ code, message, packageId }) => ({
    uniqueId: books.next('complaint'),
    code,
    consignmentCorrelationId: correlationId,
    packageCorrelationId: packageId,
    messages: [{ lang: 'en', message }],
  }));
  if (errors.length > 0) return json({ consignments: [{ correlationId, confirmation: null, errors }] }, 400);
  const entry = books.book(readConsignment(consignment));
  const { carrierNumber, trackingNumbers } = entry;
  const confirmation = {
    consignmentNumber: carrierNumber,
    productSpecificData: null,
    links: {
      labels: `${settings.publicUrl}/labels/id/${fileOf(carrierNumber, books)}`,
      waybill: null,
      tracking: `https://sporing.bring.no/sporing.html?q=${carrierNumber}`,
    },
    dateAndTimes: { earliestPickup: null, expectedDelivery: settings.now().getTime() + DAY_MS },
    packages: listAt(consignment, 'packages').map((each, index) => ({
      packageNumber: trackingNumbers[index],
      correlationId: textAt(each, 'correlationId'),
    })),
  };
  return json({ consignments: [{ correlationId, confirmation, errors: null }] });
}

function readConsignment(consignment: unknown): NewBooking {
  const service = textAt(consignment, 'product', 'id') ?? '';
  const booking = readBooking(consignment, {
    ...{ reference: 'parties.sender.reference', sender: 'parties.sender', recipient: 'parties.recipient' },
    lines: ['name', 'addressLine', 'addressLine2', 'postalCode city', 'countryCode'],
    ...{ parcels: 'packages', parcel: { kilograms: 'weightInKg' } },
  });
  return { ...booking, service, order: isReturn(service) ? 'return' : 'real' };
}

function answerTracking(context: RouteContext): Reply {
  const { q = '' } = context.query;
  const found = context.books.entries.filter(
    ({ reference, carrierNumber, trackingNumbers }) =>
      q !== '' && (reference === q || carrierNumber === q || trackingNumbers.includes(q)),
  );
  const none = { error: { code: 404, message: 'No shipments found' } };
  const consignmentSet = found.length > 0 ? found.map((entry) => toTracked(entry, context)) : [none];
  return json({ apiVersion: '2', consignmentSet });
}

function toTracked({ asked, carrierNumber, trackingNumbers, bookedAt }: BookedEntry, { books }: RouteContext): unknown {
  // A package that does not travel is announced, and that is all.
  const announced = { status: 'PRE_NOTIFIED', description: 'We are informed', dateIso: bookedAt.toISOString() };
  const eventsOf = (packageNumber: string) => books.events(packageNumber).map(toBringEvent).reverse();
  return {
    consignmentId: carrierNumber,
    senderReference: asked.reference,
    totalWeightInKgs: asked.parcels.reduce((sum, { weightGrams }) => sum + weightGrams, 0) / 1000,
    packageSet: trackingNumbers.map((packageNumber) => ({
      packageNumber,
      productCode: asked.service,
      statusDescription: '',
      eventSet: eventsOf(packageNumber).length > 0 ? eventsOf(packageNumber) : [announced],
    })),
  };
}
