import { defineCarrier } from '../contract/index.js';
import { during } from '../toolkit/during.js';
import { textAt } from '../toolkit/json.js';
import { check } from './check.js';
import { glsClient } from './api.js';
import { GlsDkConfig } from './config.js';
import { labelsFrom } from './labels.js';
import { lossesAtGls } from './losses.js';
import { fromGlsAnswer, toGlsShipment } from './booking.js';
import { fromGlsTracking } from './tracking/lookup.js';
import { glsTrackingClient } from './tracking/client.js';
import { LONGEST, TRACK_AT_ONCE } from './wire.js';

export const glsDk = defineCarrier({
  id: 'gls-dk',
  name: 'GLS',
  baseUrl: 'https://api.gls.dk/ws/DK/V1',
  Config: GlsDkConfig,
  settingsInIms: {
    key: 'GLSTransport',
    keptBy: 'seller',
    login: ['userName', 'password'],
    within: ['customerId', 'contactId'],
    customer: ['customerId'],
    olderNames: { customerId: 'customerNumber' },
    // As the vendor's app reads them; a shipment that names a parcel shop goes there whatever they say.
    words: {
      list: [
        { word: 'Deposit', service: 'deposit' },
        { word: 'DirectShop', service: 'direct-shop' },
        { word: 'Flex', service: 'flex-delivery' },
        { word: 'Private', service: 'private-delivery' },
      ],
      options: (services) => ({ services }),
    },
    asTheApp: { servicesFromShipment: 'pick-up-point' },
  },
  traits: {
    repeatedBooking: 'books-again', // no idempotency key; a repeated call gives out new parcel numbers (README, Sources)
    bookingVisibleAfterMs: 0, // there is no search
    // nothingBookedAfter: no source says so of any answer, not of a 503 either (README, Assumptions)
    maxParcels: 20, // our assumption, no limit is documented: see README
    maxReferenceLength: LONGEST.reference, // a client's copy of GLS's parameter table
    trackAtOnce: TRACK_AT_ONCE, // Track & Trace of GLS Group
    trackCallsPerDay: 500, // what GLS Group gives at first; more on request (README, Tracking)
    labelFormats: ['pdf'], // the answer holds a PDF and nothing else
  },
  connect: (config, tools) => {
    const client = glsClient(tools);
    const tracking = config.tracking ? glsTrackingClient(config.tracking, tools) : null;
    return {
      check: (request) => check(request, config),
      losses: (request) => lossesAtGls(request, config),
      book: async (request) => {
        const shipment = toGlsShipment(request, { config, now: tools.clock.now() });
        const answer = await client.createShipment(shipment);
        const booking = fromGlsAnswer(request, answer);
        return { booking, labels: labelsFrom(textAt(answer, 'PDF')) };
      },
      probe: client.probe,
      ...(tracking && {
        track: (numbers: readonly string[]) =>
          during('read', async () => fromGlsTracking(numbers, await tracking.track(numbers))),
      }),
    };
  },
});
