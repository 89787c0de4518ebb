import { defineCarrier } from '../contract/index.js';
import { textChangesBy } from '../toolkit/checks/party-problems.js';
import { basicCredentials } from '../toolkit/json-client.js';
import { onlyTrackingNumber } from '../toolkit/parcels/one-parcel.js';
import { byPlainPostalCode } from '../toolkit/pickup-points.js';
import { homerunnerApi } from './api.js';
import { OF_A_RETURN, fromHomerunnerShipment, fromHomerunnerTracking } from './booking.js';
import { toHomerunnerReturn, toHomerunnerShipment } from './booking.js';
import { HomerunnerConfig } from './config.js';
import { pointsOf, quoteAt, withPoint } from './questions.js';
import { FIELDS, SERVICES, checkForHomerunner, checkRule } from './services.js';

/** HomeRunner, once CoolRunner: parcels with GLS, DAO, PostNord, Bring and others. It cancels nothing, and finds nothing by a reference. */
export const homerunner = defineCarrier({
  id: 'homerunner',
  name: 'HomeRunner',
  baseUrl: 'https://api.coolrunner.dk',
  Config: HomerunnerConfig,
  secrets: ({ userName, token }) => [token, basicCredentials(userName, token)],
  fields: FIELDS,
  sample: {
    config: () => ({
      ...{ userName: 'lager@mail.example', token: '${HOMERUNNER_TOKEN}', carrier: 'dao' },
      trackingCodes: { simulated_transit: 'in-transit', simulated_delivered: 'delivered' },
    }),
    secrets: { HOMERUNNER_TOKEN: 'sandbox-homerunner-token' },
  },
  customer: ['userName'],
  settingsInIms: {
    key: 'CoolRunnerTransport',
    keptBy: 'seller',
    login: ['userName', 'token'],
    within: [],
  },
  traits: {
    repeatedBooking: 'books-again', // no idempotency key (README, Booking)
    bookingVisibleAfterMs: 0, // there is no search
    maxParcels: 1, // one call is one parcel
    maxReferenceLength: 35, // our assumption, no limit is documented: see README
    labels: [{ format: 'pdf' }], // `label_format` names no size
    services: SERVICES,
    // README, Sources and Assumptions
    confidence: {
      source: "HomeRunner's own open clients (PHP, Magento, Shopware) and three others",
      level: 'medium',
      assumed: [
        'What the events of tracking mean is not published: the account says it.',
        'Where no rule says otherwise, a parcel has the product `private`, and the service of the vendor’s app for the carrier.',
        'Return labels are as one client makes them.',
        'A reference has at most 35 characters: no limit is known.',
        'Lines for customs are as one vendor sends them, and are sent for shipments with one parcel only.',
        'Prices are those of the list of products, in the currency that the account says.',
        'The size of a label is not documented.',
      ],
    },
  },
  checkRule,
  connect: (config, tools) => {
    const api = homerunnerApi(config, tools);
    const { carrier } = config;
    return {
      book: async (request) => {
        const whole = await withPoint(api, request, config);
        return fromHomerunnerShipment(
          whole,
          await api.book({ json: toHomerunnerShipment(whole, config) }),
          'shipments',
        );
      },
      returnLabel: async (request) => {
        const json = toHomerunnerReturn(request, config);
        return fromHomerunnerShipment(request, await api.return({ json }), OF_A_RETURN);
      },
      fetchLabels: async (booking) => {
        const label = booking.labelSource === OF_A_RETURN ? api.returnLabel : api.label;
        return [await label({ params: { number: onlyTrackingNumber(booking) } })];
      },
      track: async (numbers) => {
        const answers = numbers.map(async (number) =>
          fromHomerunnerTracking(number, await api.track({ params: { number } }), config.trackingCodes),
        );
        return (await Promise.all(answers)).flat();
      },
      ...(carrier && { pickupPoints: byPlainPostalCode((query) => pointsOf(api, carrier, query)) }),
      quote: (request) => quoteAt(api, request, config),
      probe: () => api.products({ params: { from: 'DK' } }),
      check: (request) => checkForHomerunner(request, config),
      textChanges: textChangesBy(FIELDS),
    };
  },
});
