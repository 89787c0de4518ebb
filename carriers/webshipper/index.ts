import type { BookingRequest } from '../contract/index.js';
import { defineCarrier } from '../contract/index.js';
import { byPlainPostalCode, neededList, numberOf, textChangesBy, valueAt } from '../toolkit/index.js';
import { DEMO, webshipperApi } from './api.js';
import { fromWebshipperSearch, fromWebshipperShipment, labelsIn, toWebshipperShipment } from './booking.js';
import { WebshipperConfig } from './config.js';
import { dropPointOf, pickupPointsAt, quoteAt } from './questions.js';
import { FIELDS, SERVICES, checkForWebshipper, checkRule, serviceOf } from './services.js';
import { parseWebshipperCallback, trackAtWebshipper } from './tracking.js';

const PDF = { format: 'pdf', widthMm: 100 } as const;

/** Webshipper: the carriers with which its customer has agreements. Shipments are deleted by people, in Webshipper. */
export const webshipper = defineCarrier({
  id: 'webshipper',
  name: 'Webshipper',
  baseUrl: DEMO,
  Config: WebshipperConfig,
  customer: ['serverName'],
  secrets: ({ apiKey, webhookSecret }) => [apiKey, ...(webhookSecret === undefined ? [] : [webhookSecret])],
  fields: FIELDS,
  sample: {
    config: () => ({
      ...{ serverName: 'demo', apiKey: '${WEBSHIPPER_API_KEY}' },
      ...{ service: '501', dropPointService: '502', returnService: '503' },
    }),
    secrets: { WEBSHIPPER_API_KEY: 'sandbox-webshipper-token', WEBSHIPPER_WEBHOOK_SECRET: 'sandbox-webshipper-calls' },
    callbackSecret: 'WEBSHIPPER_WEBHOOK_SECRET',
  },
  traits: {
    repeatedBooking: 'books-again', // no idempotency key (README, Booking)
    bookingVisibleAfterMs: 30_000, // our assumption, as the next two: see README
    maxParcels: 50,
    maxReferenceLength: 35,
    takesReturnAddress: true, // `return_address`
    labels: [{ ...PDF, heightMm: 150 }, { ...PDF, heightMm: 192 }, { format: 'zpl' }], // `label_size`, `prefer_zpl`
    services: SERVICES,
    // README, Sources and Assumptions
    confidence: {
      source: "a client generated from Webshipper's own OpenAPI file, and three others, one of them in production",
      level: 'high',
      assumed: [
        'A booking is found after 30 seconds, and has at most 50 parcels and 35 characters of reference: no limit is known.',
        'The sides of packages are less certain than the rest, and so are customs lines: they stand on the first package.',
        'A pick-up point is found by its id among those of its country, if Webshipper answers without a postal code.',
        'A pick-up point that is not near the recipient is sent by its id alone.',
        'Prices are without VAT.',
      ],
    },
  },
  checkRule,
  parseCallback: parseWebshipperCallback,
  connect: (config, tools) => {
    const api = webshipperApi(config, tools);
    const { dropPointService, returnService } = config;
    const send = async (request: BookingRequest, service: string, more: object) => {
      const json = toWebshipperShipment(request, config, { service, ...more });
      return fromWebshipperShipment(request, valueAt(await api.book({ json }), 'data'));
    };
    return {
      book: async (request) => {
        const service = serviceOf(request, config);
        if (!request.deliverToPickUpPoint) return send(request, service, {});
        return send(request, service, { drop_point: await dropPointOf(api, service, request) });
      },
      ...(returnService && {
        returnLabel: (back) => send({ ...back, options: { notification: 'none' } }, returnService, { is_return: true }),
      }),
      findByReference: async (request) =>
        fromWebshipperSearch(request, await api.find({ query: { 'filter[reference]': request.reference } })),
      fetchLabels: async (booking) => labelsIn(await api.labels({ params: { id: numberOf(booking) } })),
      track: async (numbers) => (await Promise.all(numbers.map((number) => trackAtWebshipper(api, number)))).flat(),
      quote: (request) => quoteAt(api, serviceOf(request, config), request),
      ...(dropPointService && {
        pickupPoints: byPlainPostalCode((query) => pickupPointsAt(api, dropPointService, query)),
      }),
      probe: async () => neededList(await api.carriers(), 'data'),
      check: (request) => checkForWebshipper(request, config),
      textChanges: textChangesBy(FIELDS),
    };
  },
});
