import type { Confidence, PickupPoint, PickupPointQuery } from '../contract/index.js';
import { defineCarrier } from '../contract/index.js';
import { textChangesBy } from '../toolkit/checks/party-problems.js';
import { neededList } from '../toolkit/json.js';
import { basicCredentials } from '../toolkit/json-client.js';
import { onlyTrackingNumber } from '../toolkit/parcels/one-parcel.js';
import { sampleRequest } from '../toolkit/sample-request.js';
import type { HomerunnerApi } from './api.js';
import { homerunnerApi } from './api.js';
import { OF_A_RETURN, fromHomerunnerShipment, fromHomerunnerTracking } from './booking.js';
import { toHomerunnerReturn, toHomerunnerShipment, toPickupPoint } from './booking.js';
import { HomerunnerConfig } from './config.js';
import { FIELDS, SERVICES, checkForHomerunner, checkRule } from './services.js';

/** README, Sources and Assumptions. */
const CONFIDENCE: Confidence = {
  source: "HomeRunner's own open clients (PHP, Magento, Shopware) and three others",
  level: 'high',
  assumed: [
    'What the events of tracking mean is not published: the account says it.',
    'Return labels are as one client makes them.',
    'A reference has at most 35 characters: no limit is known.',
    'Data for customs are not sent, because a booking is one parcel and they are those of the whole shipment.',
    'The size of a label is not documented.',
  ],
};

/** HomeRunner, once CoolRunner: parcels with GLS, DAO, PostNord, Bring and others. It cancels nothing, and finds nothing by a reference. */
export const homerunner = defineCarrier({
  id: 'homerunner',
  name: 'HomeRunner',
  baseUrl: 'https://api.coolrunner.dk',
  Config: HomerunnerConfig,
  secrets: ({ userName, token }) => [token, basicCredentials(userName, token)],
  fields: FIELDS,
  sample: {
    account: 'homerunner',
    config: () => ({
      ...{ userName: 'lager@mail.example', token: '${HOMERUNNER_TOKEN}', carrier: 'dao' },
      trackingCodes: { simulated_transit: 'in-transit', simulated_delivered: 'delivered' },
    }),
    secrets: { HOMERUNNER_TOKEN: 'sandbox-homerunner-token' },
    request: sampleRequest(),
  },
  settingsInIms: {
    key: 'CoolRunnerTransport',
    keptBy: 'seller',
    login: ['userName', 'token'],
    within: [],
    customer: ['userName'],
  },
  traits: {
    repeatedBooking: 'books-again', // no idempotency key (README, Booking)
    bookingVisibleAfterMs: 0, // there is no search
    maxParcels: 1, // one call is one parcel
    maxReferenceLength: 35, // our assumption, no limit is documented: see README
    trackAtOnce: 1, // one number in the path
    labels: [{ format: 'pdf' }], // `label_format` names no size
    services: SERVICES,
    confidence: CONFIDENCE,
  },
  checkRule,
  connect: (config, tools) => {
    const api = homerunnerApi(config, tools);
    const { carrier } = config;
    return {
      book: async (request) =>
        fromHomerunnerShipment(request, await api.book({ json: toHomerunnerShipment(request, config) })),
      returnLabel: async (request) =>
        fromHomerunnerShipment(request, await api.return({ json: toHomerunnerReturn(request, config) })),
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
      ...(carrier && { pickupPoints: (query) => pointsOf(api, carrier, query) }),
      probe: () => api.products(),
      check: (request) => checkForHomerunner(request, config),
      textChanges: textChangesBy(FIELDS),
    };
  },
});

async function pointsOf(api: HomerunnerApi, carrier: string, query: PickupPointQuery): Promise<readonly PickupPoint[]> {
  if ('id' in query) {
    const point = await api.point({ params: { carrier, id: query.id } });
    return point === null ? [] : [toPickupPoint(point)].filter(({ countryCode }) => countryCode === query.countryCode);
  }
  const { countryCode, postalCode, street } = query.near;
  const near = { country_code: countryCode, zip_code: postalCode, ...(street && { street }) };
  const points = neededList(await api.pointsNear({ params: { carrier }, query: near }), 'servicepoints');
  return points.slice(0, query.limit).map(toPickupPoint);
}
