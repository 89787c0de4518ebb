import type { BookingRequest } from '../contract/index.js';
import { defineCarrier } from '../contract/index.js';
import { basicCredentials, byPlainPostalCode, numberOf, textChangesBy, unexpected } from '../toolkit/index.js';
import { valueAt } from '../toolkit/index.js';
import { PRODUCTION, neverDone, shipmondoApi } from './api.js';
import { findShipment, fromShipmondoQuote, fromShipmondoShipment, labelFormatFor, labelsIn } from './booking.js';
import { toShipmondoQuestion, toShipmondoShipment } from './booking.js';
import { LABELS, ShipmondoConfig } from './config.js';
import { pointsAtShipmondo } from './pickup-points.js';
import { FIELDS, PARTY, SERVICES, checkForShipmondo, checkRule, takesNotes } from './services.js';
import { parseShipmondoCallback } from './tracking.js';

/** Shipmondo: a platform that books with many carriers, on agreements of the customer or of its own. */
export const shipmondo = defineCarrier({
  id: 'shipmondo',
  name: 'Shipmondo',
  baseUrl: PRODUCTION,
  Config: ShipmondoConfig,
  customer: ['apiUser'],
  secrets: ({ apiUser, apiKey }) => [apiKey, basicCredentials(apiUser, apiKey)],
  fields: FIELDS,
  sample: {
    config: () => ({
      // not a product of dao, which cancels nothing
      ...{ apiUser: 'sandbox', apiKey: '${SHIPMONDO_API_KEY}', product: 'GLSDK_SD', returnProduct: 'DAO_R' },
      ...{ pickUpPointProduct: 'GLSDK_SD', pickUpPointCarrier: 'gls' },
    }),
    secrets: { SHIPMONDO_API_KEY: 'sandbox-shipmondo-key', SHIPMONDO_WEBHOOK_KEY: 'sandbox-shipmondo-webhooks-00001' },
    callbackSecret: 'SHIPMONDO_WEBHOOK_KEY',
  },
  traits: {
    repeatedBooking: 'books-again', // no idempotency key (README, Booking)
    bookingVisibleAfterMs: 30_000, // our assumption, as the next two: see README
    maxParcels: 20,
    maxReferenceLength: 35,
    nothingBookedAfter: neverDone, // README, Booking: a 422 because the carrier cannot be reached
    labels: Object.values(LABELS), // `label_format`; the size of `compact` and the resolution of ZPL are not documented
    services: SERVICES,
    // README, Sources and Assumptions
    confidence: {
      source: "Shipmondo's own OpenAPI description (version 3), and public clients of it",
      level: 'high',
      assumed: [
        'What callbacks of tracking hold, and their statuses, is from clients: the description does not have it.',
        'A booking is in the list of shipments after 30 seconds; the list does not say which are cancelled.',
        'A shipment has at most 20 parcels, a reference at most 35 characters: the carrier behind Shipmondo decides.',
        'A pick-up point is found by its id without a postal code, by an older call.',
      ],
    },
  },
  checkRule,
  parseCallback: parseShipmondoCallback,
  connect: (config, tools) => {
    const api = shipmondoApi(config, tools);
    const { pickUpPointProduct: product, pickUpPointCarrier: carrier, returnProduct, sender } = config;
    const book = async (request: BookingRequest) => {
      const json = toShipmondoShipment(request, config, tools.clock.now());
      return fromShipmondoShipment(request, await api.book({ json }));
    };
    return {
      ...{ sender, book },
      ...(returnProduct && { returnLabel: (request) => book({ ...request, service: returnProduct }) }),
      findByReference: (request) => findShipment(api, request, { config, now: tools.clock.now() }),
      fetchLabels: async (booking, form) => {
        const query = { label_format: labelFormatFor(form, config) };
        const answer = await api.labels({ params: { id: numberOf(booking) }, query });
        if (labelsIn(answer).length === 0) throw unexpected(answer, 'a label');
        return labelsIn(answer);
      },
      cancel: async (booking) => {
        const answer = await api.cancel({ params: { id: numberOf(booking) } });
        if (valueAt(answer, 'cancelled') !== true) throw unexpected(answer, 'cancelled');
      },
      quote: async (request) => fromShipmondoQuote(await api.quote({ json: toShipmondoQuestion(request, config) })),
      ...(product &&
        carrier && { pickupPoints: byPlainPostalCode((query) => pointsAtShipmondo(api, { product, carrier }, query)) }),
      probe: () => api.account(),
      check: (request) => checkForShipmondo(request, config),
      textChanges: (request) => textChangesBy(takesNotes(request) ? FIELDS : PARTY)(request),
    };
  },
});
