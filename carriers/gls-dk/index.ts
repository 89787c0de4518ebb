import type { BookingRequest } from '../contract/index.js';
import { defineCarrier } from '../contract/index.js';
import { secretsOfGlsGroup } from '../groups/gls/config.js';
import { TRACKING_TRAITS, glsTracking } from '../groups/gls/tracking.js';
import { glsApi } from './api.js';
import { fromGlsAnswer, toGlsReturn, toGlsShipment } from './booking.js';
import { check, textChangesAtGls } from './check.js';
import { GlsDkConfig } from './config.js';
import { FIELDS, MAX_CHARACTERS } from './fields.js';
import { shopsAtGls } from './pickup-points.js';
import { SERVICES, checkRule } from './services.js';

/** Words as the vendor's app reads them; a shipment that names a parcel shop goes there whatever they say. */
const WORDS = [
  { word: 'Deposit', service: 'deposit' },
  { word: 'DirectShop', service: 'direct-shop' },
  { word: 'Flex', service: 'flex-delivery' },
  { word: 'Private', service: 'private-delivery' },
];

export const glsDk = defineCarrier({
  id: 'gls-dk',
  name: 'GLS',
  baseUrl: 'https://api.gls.dk/ws/DK/V1',
  Config: GlsDkConfig,
  secrets: ({ password, tracking }) => [password, ...secretsOfGlsGroup(tracking)],
  fields: FIELDS,
  sample: {
    account: 'gls',
    config: (baseUrl) => ({
      ...{ userName: '9990000001', password: '${GLS_PASSWORD}', customerId: '9990000001', contactId: '208x999Test' },
      shopFinder: `${baseUrl}/wsShopFinder.asmx`,
      tracking: { baseUrl, clientId: 'sandbox', clientSecret: '${GLS_GROUP_SECRET}' },
    }),
    secrets: { GLS_PASSWORD: 'sandbox-gls-pass', GLS_GROUP_SECRET: 'sandbox-gls-group-secret' },
  },
  customer: ['customerId'],
  settingsInIms: {
    key: 'GLSTransport',
    keptBy: 'seller',
    login: ['userName', 'password'],
    within: ['customerId', 'contactId'],
    olderNames: { customerId: 'customerNumber' },
    words: { list: WORDS, options: (services) => ({ services }) },
    asTheApp: { servicesFromShipment: 'pick-up-point' },
  },
  traits: {
    repeatedBooking: 'books-again', // no idempotency key; a repeated call gives out new parcel numbers (README, Sources)
    bookingVisibleAfterMs: 0, // there is no search
    // nothingBookedAfter: no source says so of any answer, not of a 503 either (README, Assumptions)
    maxParcels: 20, // our assumption, no limit is documented: see README
    maxReferenceLength: MAX_CHARACTERS.reference, // a client's copy of GLS's parameter table
    ...TRACKING_TRAITS, // of tracking, which is GLS Group's
    labels: [{ format: 'pdf' }], // the answer holds a PDF and nothing else; no source states its size
    customsPapers: { form: 'invoice', from: 'DK' }, // the interface has no field for customs (README, Assumptions)
    services: SERVICES,
    // README, Sources and Assumptions
    confidence: {
      source: "independent public clients that agree, as GLS Denmark publishes nothing; GLS Group's own for tracking",
      level: 'medium',
      assumed: [
        'A booking takes at most 20 parcels: GLS names no limit.',
        'The lengths of texts, the reference among them, come from one client.',
        'A label comes once, and the web service can neither cancel nor find a booking: no client does.',
        'What the codes of events in tracking mean follows answers that others have published.',
        'The size of a label is not documented.',
      ],
    },
  },
  checkRule,
  connect: (config, tools) => {
    const api = glsApi(tools);
    const send = async (request: BookingRequest, toShipment: typeof toGlsShipment | typeof toGlsReturn) => {
      const json = toShipment(request, { config, now: tools.clock.now() });
      return fromGlsAnswer(request, await api.createShipment({ json }));
    };
    return {
      check: (request) => check(request, config),
      textChanges: (request) => textChangesAtGls(request, config),
      book: (request) => send(request, toGlsShipment),
      returnLabel: (request) => send(request, toGlsReturn),
      // An empty request without an account: GLS has no customer to book for.
      probe: () => api.probe({ json: {} }),
      pickupPoints: shopsAtGls(config.shopFinder, tools),
      ...(config.tracking && { track: glsTracking(config.tracking, tools) }),
    };
  },
});
