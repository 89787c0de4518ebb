import { TextSetting, defineCarrier, neededList, numberOf, plugIn, settingsClass } from 'waybridge/adapter'; //? !ts
import { TextSetting, defineCarrier, neededList, numberOf, settingsClass } from 'waybridge/adapter'; //? ts
import type { AcmeSettings } from './api.js'; //? ts
import { acmeApi } from './api.js';
import { fromAcmeBooking, toAcmeBooking } from './booking.js'; //? !search
import { fromAcmeBooking, fromAcmeSearch, toAcmeBooking } from './booking.js'; //? search
import { FIELDS, MAX_REFERENCE_LENGTH, SERVICES, checkForAcme, checkRule, textChangesAtAcme } from './check.js';
import { fromAcmeEvents } from './tracking.js';

/** The settings of an account, under `config` in waybridge.yaml. */
const AcmeConfig = settingsClass /*ts<AcmeSettings> */({
  apiKey: TextSetting('must be the API key'), //? header query
  user: TextSetting('must be the user name'), //? basic
  password: TextSetting('must be the password'), //? basic
  clientId: TextSetting('must be the client id'), //? oauth
  clientSecret: TextSetting('must be the client secret'), //? oauth
});

const carrier = defineCarrier({ //? !ts
export const acmeCarrier = defineCarrier({ //? ts
  id: 'acme',
  name: 'Acme',
  // TODO the base address of the API, as its documentation names it
  baseUrl: 'https://api.acme.example',
  Config: AcmeConfig,
  secrets: ({ apiKey }) => [apiKey], //? header query
  secrets: ({ password }) => [password], //? basic
  secrets: ({ clientSecret }) => [clientSecret], //? oauth
  fields: FIELDS,
  // What the sandbox, the demo and the contract cases book with; it opens nothing but the simulator.
  sample: {
    config: () => ({ apiKey: '${ACME_API_KEY}' }), //? header query
    secrets: { ACME_API_KEY: 'sandbox-acme-key' }, //? header query
    config: () => ({ user: 'sandbox', password: '${ACME_PASSWORD}' }), //? basic
    secrets: { ACME_PASSWORD: 'sandbox-acme-password' }, //? basic
    config: () => ({ clientId: 'sandbox', clientSecret: '${ACME_CLIENT_SECRET}' }), //? oauth
    secrets: { ACME_CLIENT_SECRET: 'sandbox-acme-secret' }, //? oauth
  },
  // TODO each value with its source in the carrier's documentation; what is assumed goes into README.md
  traits: {
    repeatedBooking: 'books-again',
    bookingVisibleAfterMs: 2_000, //? search
    bookingVisibleAfterMs: 0, //? !search
    maxParcels: 20, //? several
    maxParcels: 1, //? !several
    maxReferenceLength: MAX_REFERENCE_LENGTH,
    // TODO the size of a label: widthMm and heightMm beside the format, where the documentation states it
    labels: [{ format: 'pdf' }],
    services: SERVICES,
    // TODO where this comes from, how sure it is (high, medium, low), and a line for each assumption
    confidence: { source: 'not stated yet', level: 'low', assumed: ['Everything: it is as its author began it.'] },
    trackAtOnce: 50,
  },
  checkRule,
  connect: (config, tools) => {
    const api = acmeApi(config, tools);
    return {
      book: async (request) => fromAcmeBooking(request, await api.book({ json: toAcmeBooking(request) })),
      findByReference: async ({ reference }) => fromAcmeSearch(await api.find({ query: { reference } })), //? search
      fetchLabels: async (booking) => [await api.labels({ params: { number: numberOf(booking) } })],
      cancel: (booking) => api.cancel({ params: { number: numberOf(booking) } }),
      track: async (numbers) =>
        fromAcmeEvents(neededList(await api.events({ query: { numbers: numbers.join(',') } }), 'events')),
      probe: () => api.ping(),
      check: checkForAcme,
      textChanges: textChangesAtAcme,
    };
  },
});
//?{ !ts

export default plugIn({
  contract: 1,
  adapter: carrier,
  simulator: async () => (await import('./simulator.js')).startAcmeSimulator,
});
//?}
