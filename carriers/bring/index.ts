import { type BookingRequest, type Confidence, defineCarrier } from '../contract/index.js';
import { labelAt, labelLinkOf, oneByOne, pickupPointsIn, readFoundBooking, readTracking } from '../toolkit/index.js';
import { bringApi, nothingWasBooked } from './api.js';
import { MAX_PACKAGES, fromBringBooking, textChangesAtBring, toBringBooking } from './booking.js';
import { checkForBring, checkRule } from './check.js';
import { BRING_IN_IMS, BringConfig } from './config.js';
import { fromShippingGuide, pointsAtBring, toShippingGuide } from './questions.js';
import { FIELDS, NORDIC, SERVICES } from './services.js';
import { SHIPMENTS, parseBringCallback } from './tracking.js';

/** README, Sources and Assumptions. */
const CONFIDENCE: Confidence = {
  source: "Bring's own developer pages, release notes to November 2025",
  level: 'high',
  assumed: [
    'A booking is found by its reference ten minutes after it was made: Bring only says that it is not there at once.',
    'Prices: where the Shipping Guide puts its errors and the currency is less certain.',
    'Customs declarations: their place and the names of their fields are those of an example of 2025.',
    'The size of a label is not documented.',
  ],
};

/** Bring (Posten Bring): parcels in and between the Nordic countries. No cancellation: its Booking API has none. */
export const bring = defineCarrier({
  ...{ id: 'bring', name: 'Bring', baseUrl: 'https://api.bring.com' },
  Config: BringConfig,
  secrets: ({ apiKey }) => [apiKey],
  ...{ fields: FIELDS, requestFields: { plainHeaders: ['x-bring-client-url'] } },
  sample: {
    config: () => ({
      ...{ apiKey: '${BRING_API_KEY}', apiUid: 'lager@mail.example', customerNumber: '6' },
      ...{ testIndicator: true, returnService: 'PICKUP_PARCEL_RETURN' },
    }),
    secrets: { BRING_API_KEY: 'sandbox-bring-key', BRING_CALLBACK_SECRET: 'sandbox-bring-callbacks' },
    callbackSecret: 'BRING_CALLBACK_SECRET',
  },
  customer: ['customerNumber'],
  settingsInIms: BRING_IN_IMS,
  traits: {
    repeatedBooking: 'books-again', // Booking API: no key that makes a repeated request the same one
    bookingVisibleAfterMs: 600_000, // our assumption: see README
    maxParcels: MAX_PACKAGES, // Booking API: packages in a consignment
    maxReferenceLength: FIELDS.reference.longest, // Booking API: reference of a party
    nothingBookedAfter: nothingWasBooked, // Booking API, error codes: BOOK-INTERNAL; below 500 only (README, Assumptions)
    takesReturnAddress: true, // Booking API: returnTo
    labels: [{ format: 'pdf' }], // Booking API: links.labels; only 3570, which is refused here, has ZPL; no size is documented
    services: SERVICES,
    confidence: CONFIDENCE,
  },
  checkRule,
  parseCallback: parseBringCallback,
  connect: (config, tools) => {
    const api = bringApi(config, tools);
    const context = () => ({ config, now: tools.clock.now() });
    const book = async (request: BookingRequest) =>
      fromBringBooking(request, await api.book({ json: toBringBooking(request, context()) }));
    const asked = (q: string) => api.track({ query: { q } });
    const { sender, returnService } = config;
    return {
      ...{ sender, book },
      ...(returnService && { returnLabel: (request) => book({ ...request, service: returnService }) }),
      findByReference: async (request) => readFoundBooking(await asked(request.reference), request, SHIPMENTS),
      fetchLabels: async (booking) => [await labelAt(labelLinkOf(booking, 'Mybring'), tools)],
      quote: async (request) => fromShippingGuide(await api.products({ json: toShippingGuide(request, context()) })),
      track: oneByOne(async (number) => readTracking(await asked(number), number, SHIPMENTS)),
      pickupPoints: pickupPointsIn(NORDIC, (query) => pointsAtBring(api, query)),
      probe: () => api.probe(),
      check: (request) => checkForBring(request, config),
      textChanges: (request) => textChangesAtBring(request, config),
    };
  },
});
