import { defineCarrier } from '../contract/index.js';
import { basicCredentials } from '../toolkit/json-client.js';
import { numberOf } from '../toolkit/parcels/booked-parcels.js';
import { pickupPointsIn, withNearestPoint } from '../toolkit/pickup-points.js';
import { PRODUCTION, budbeeApi } from './api.js';
import { findOrder, fromBudbeeOrder, labelsOf, refuseUnserved, toBudbeeOrder } from './booking.js';
import { COUNTRIES, FIELDS, checkForBudbee, textChangesAtBudbee } from './check.js';
import { BudbeeConfig } from './config.js';
import { lockersAtBudbee } from './pickup-points.js';
import { SERVICES, checkRule, isBox } from './services.js';
import { parseBudbeeCallback } from './tracking.js';

/** Budbee (Instabee): homes and lockers in Sweden, Denmark, Finland and the Netherlands. */
export const budbee = defineCarrier({
  id: 'budbee',
  name: 'Budbee',
  baseUrl: PRODUCTION,
  Config: BudbeeConfig,
  secrets: ({ apiKey, apiSecret }) => [apiKey, apiSecret, basicCredentials(apiKey, apiSecret)],
  fields: FIELDS,
  sample: {
    config: () => ({ apiKey: 'sandbox', apiSecret: '${BUDBEE_API_SECRET}', collectionId: 9999 }),
    secrets: { BUDBEE_API_SECRET: 'sandbox-budbee-secret' },
    callbackSecret: 'BUDBEE_API_SECRET', // callbacks are signed with the secret API key
  },
  customer: ['collectionId'],
  settingsInIms: {
    key: 'BudbeeTransport',
    keptBy: 'seller',
    login: ['apiKey', 'apiSecret'],
    within: ['collectionId'],
  },
  traits: {
    repeatedBooking: 'books-again', // no idempotency key; the same `cartId` can be booked twice (README, Sources)
    bookingVisibleAfterMs: 30_000, // our assumption, as the next two: see README
    maxParcels: 50,
    maxReferenceLength: 40,
    labels: [{ format: 'pdf' }], // one PDF a parcel; no ZPL and no size is documented
    customsPapers: { form: 'invoice' }, // the interface has no field for customs (README, Assumptions)
    services: SERVICES,
    // README, Sources and Assumptions
    confidence: {
      source:
        "public clients of Budbee's API, its own deprecated one among them, and a summary of its pages of July 2026",
      level: 'high',
      assumed: [
        'The payload of callbacks is not known: record the first ones in the sandbox of Budbee (README, Assumptions).',
        'The search answers a list of orders, which a new one is in after 30 seconds and a cancelled one is not.',
        'An order that is asked for again has new links to its labels.',
        'An order has at most 50 parcels, a reference at most 40 characters: Budbee names no limit.',
        'The size of a label is not documented.',
      ],
    },
  },
  checkRule,
  parseCallback: parseBudbeeCallback,
  connect: (config, tools) => {
    const api = budbeeApi(config, tools);
    const pickupPoints = pickupPointsIn(COUNTRIES, (query) => lockersAtBudbee(api, query, config.collectionId));
    return {
      sender: 'area', // where the parcels are collected, for the check of customs
      book: async (request) => {
        const whole = isBox(request) ? await withNearestPoint(request, pickupPoints) : request;
        if (!isBox(request)) await refuseUnserved(api, request);
        return fromBudbeeOrder(whole, await api.book({ json: toBudbeeOrder(whole, config.collectionId) }));
      },
      findByReference: (request) => findOrder(api, request),
      fetchLabels: (booking) => labelsOf(api, booking),
      cancel: (booking) => api.cancel({ params: { id: numberOf(booking) } }),
      pickupPoints,
      probe: () => api.postalCode({ params: { country: 'DK', postalCode: '2600' } }),
      check: checkForBudbee,
      textChanges: textChangesAtBudbee,
    };
  },
});
