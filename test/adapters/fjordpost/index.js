import { TextSetting, defineCarrier, neededList, plugIn, settingsClass } from 'waybridge/adapter';
import { fjordpostApi } from './api.js';
import { fromFjordpostBooking, fromFjordpostSearch, numberOf, toFjordpostBooking } from './booking.js';
import { FIELDS, SERVICES, checkForFjordpost, textChangesAtFjordpost } from './check.js';
import { fromFjordpostEvents, readFjordpostCallback } from './tracking.js';

/** The settings of an account, under `config` in waybridge.yaml. */
const FjordpostConfig = settingsClass({ apiKey: TextSetting('must be the API key from the portal of Fjordpost') });

const fjordpost = defineCarrier({
  id: 'fjordpost',
  name: 'Fjordpost',
  baseUrl: 'https://api.fjordpost.example/v2',
  Config: FjordpostConfig,
  secrets: ({ apiKey }) => [apiKey],
  fields: FIELDS,
  sample: {
    config: () => ({ apiKey: '${FJORDPOST_API_KEY}' }),
    secrets: {
      FJORDPOST_API_KEY: 'sandbox-fjordpost-key',
      FJORDPOST_CALLBACK_SECRET: `whsec_${Buffer.from('sandbox-fjordpost-calls').toString('base64')}`,
    },
    callbackSecret: 'FJORDPOST_CALLBACK_SECRET',
  },
  traits: {
    repeatedBooking: 'refused', // "Create a consignment": 409 reference_taken
    bookingVisibleAfterMs: 2_000, // "Find a consignment"
    maxParcels: 20, // "Limits"
    maxReferenceLength: 30, // "Limits"
    labels: [{ format: 'pdf', widthMm: 100, heightMm: 150 }], // "Labels"
    services: SERVICES,
    confidence: { source: 'Fjordpost API, version 2', level: 'high', assumed: [] },
    trackAtOnce: 50, // "Events"
  },
  parseCallback: readFjordpostCallback,
  connect: (config, tools) => {
    const api = fjordpostApi(config, tools);
    return {
      book: async (request) => fromFjordpostBooking(request, await api.book({ json: toFjordpostBooking(request) })),
      findByReference: async (request) =>
        fromFjordpostSearch(await api.find({ query: { reference: request.reference } })),
      fetchLabels: async (booking) => [await api.labels({ params: { number: numberOf(booking) } })],
      cancel: (booking) => api.cancel({ params: { number: numberOf(booking) } }),
      track: async (numbers) =>
        fromFjordpostEvents(neededList(await api.events({ query: { barcodes: numbers.join(',') } }), 'events')),
      probe: () => api.ping(),
      check: checkForFjordpost,
      textChanges: textChangesAtFjordpost,
    };
  },
});

export default plugIn({
  contract: 1,
  adapter: fjordpost,
  simulator: async () => (await import('./simulator.js')).startFjordpostSimulator,
});
