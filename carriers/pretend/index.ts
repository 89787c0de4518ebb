import { defineCarrier } from '../contract/index.js';
import { neededAt, numberOf, plainTracking } from '../toolkit/index.js';
import { LABELS, MAX_PARCELS, MAX_REFERENCE_LENGTH, SERVICES, TRACK_AT_ONCE, neverDone, pretendApi } from './api.js';
import {
  fromPretendBooking,
  fromPretendQuote,
  fromPretendSearch,
  fromPretendTracking,
  toPretendBooking,
  toPretendQuestion,
} from './booking.js';
import { checkForPretend } from './check.js';
import { PretendConfig } from './config.js';
import { FIELDS, textChangesAtPretend } from './fields.js';

/** A carrier that does not exist, for demonstrations and tests: its simulator does what the service code says. */
export const pretend = defineCarrier({
  id: 'pretend',
  name: 'Pretend',
  baseUrl: 'http://127.0.0.1:9090/carriers/pretend',
  Config: PretendConfig,
  secrets: ({ apiKey }) => [apiKey],
  fields: FIELDS,
  sample: {
    config: () => ({ apiKey: '${PRETEND_API_KEY}' }),
    secrets: {
      PRETEND_API_KEY: 'sandbox-pretend-key',
      PRETEND_CALLBACK_SECRET: `whsec_${Buffer.from('sandbox-pretend-callbacks').toString('base64')}`,
    },
    callbackSecret: 'PRETEND_CALLBACK_SECRET',
  },
  customer: [], // it has one
  settingsInIms: { key: 'PretendTransport', keptBy: 'seller', login: ['apiKey'], within: [] },
  traits: {
    repeatedBooking: 'books-again', // on purpose: a booking that was made twice is seen
    bookingVisibleAfterMs: 500, // README, "Search"
    maxParcels: MAX_PARCELS, // README, "Limits"
    maxReferenceLength: MAX_REFERENCE_LENGTH, // README, "Limits"
    nothingBookedAfter: neverDone, // README, "API": 503 `closed`
    labels: LABELS, // README, "API"
    services: SERVICES,
    confidence: {
      source: 'its own description; there is no such carrier but its simulator',
      level: 'high',
      assumed: [],
    },
    trackAtOnce: TRACK_AT_ONCE, // README, "API"
  },
  parseCallback: plainTracking,
  connect: (config, tools) => {
    const api = pretendApi(config, tools);
    return {
      book: async (request) => fromPretendBooking(request, await api.book({ json: toPretendBooking(request) })),
      findByReference: async (request) =>
        fromPretendSearch(request, await api.find({ query: { reference: request.reference } })),
      returnLabel: async (request) =>
        fromPretendBooking(request, await api.returnLabel({ json: toPretendBooking(request) })),
      fetchLabels: async (booking, form) => {
        const query = form?.format === 'zpl' ? { format: 'zpl', dpi: String(form.dpi) } : undefined;
        return [await api.labels({ params: { number: numberOf(booking) }, ...(query && { query }) })];
      },
      cancel: (booking) => api.cancel({ params: { number: numberOf(booking) } }),
      quote: async (request) => fromPretendQuote(await api.quote({ json: toPretendQuestion(request) })),
      track: async (numbers) =>
        fromPretendTracking(numbers, await api.track({ query: { numbers: numbers.join(',') } })),
      closeOut: async (bookings) => {
        const manifest = await api.closeOut({ json: { bookings: bookings.map(numberOf) } });
        return { number: neededAt(manifest, 'number') };
      },
      probe: () => api.probe(),
      check: checkForPretend,
      textChanges: textChangesAtPretend,
    };
  },
});
