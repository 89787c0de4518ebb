import type { BookingRequest, PickupPoint, PickupPointQuery } from '../contract/index.js';
import { CarrierRejected, defineCarrier } from '../contract/index.js';
import { byPlainPostalCode, numberOf, problemOf, readPoints, readQuote, textChangesBy } from '../toolkit/index.js';
import { withNearestPoint } from '../toolkit/index.js';
import { type NshiftApi, combinedKey, nshiftApi } from './api.js';
import { documentsAt, fromNshiftBooking, toNshiftReturn, toNshiftShipment, toPrint } from './booking.js';
import { checkForNshift } from './check.js';
import { AGENT, NshiftConfig } from './config.js';
import { FIELDS, SERVICES, checkRule, isFound } from './services.js';
import { fromNshiftChanges } from './tracking.js';

/** The price by the agreements that are stored in the account, which says the currency. */
const PRICE = { amount: ['priceWithAdditionalSurcharges', 'price'], currency: 'currency' };

/** nShift Delivery, once Unifaun: books with the carriers with which its account has agreements. It has no search by a reference. */
export const nshift = defineCarrier({
  ...{ id: 'nshift', name: 'nShift', baseUrl: 'https://api.unifaun.com/rs-extapi/v1' },
  Config: NshiftConfig,
  secrets: (config) => [config.pin, combinedKey(config)],
  fields: FIELDS,
  sample: {
    config: () => ({
      ...{ user: 'SANDBOXNSHIFT001', pin: '${NSHIFT_PIN}', senderQuickId: '1', bulkId: '1', trackBack: true },
    }),
    secrets: { NSHIFT_PIN: 'SANDBOXNSHIFTSECRET00001' },
  },
  customer: ['user'],
  settingsInIms: {
    key: 'PostnordTransport',
    keptBy: 'carrier',
    ...{ login: ['user', 'pin'], within: ['senderQuickId', 'bulkId'] },
  },
  traits: {
    repeatedBooking: 'books-again', // no idempotency key (README, Booking)
    bookingVisibleAfterMs: 0, // there is no search among printed shipments
    ...{ maxParcels: 100, maxReferenceLength: 35 }, // our assumptions: no limit is documented
    labels: [{ format: 'pdf' }], // its size is that of the account's `media`; ZPL was not confirmed
    takesReturnAddress: true, // `returnPart`
    pickupPointsBy: 'postal-code',
    services: SERVICES,
    // README, Sources and Assumptions
    confidence: {
      source: "nShift's own description (2016), newer public clients, and an integration that runs in production",
      level: 'high',
      assumed: [
        'Measures go in metres with PostNord, as in production, and in centimetres with other carriers.',
        'A return alone has the parties of the shipment that went out.',
        'Which papers for customs PostNord’s services need is not said; how the kind of an invoice is spelled differs between sources.',
        'The answer to a question for prices names no currency: the account says it.',
        'The first question for changes leads to those after it: changes before it are not told.',
        'A booking has at most 100 parcels, a reference at most 35 characters: nShift names no limit.',
      ],
    },
  },
  checkRule,
  connect: (config, tools) => {
    const api = nshiftApi(config, tools);
    const outbound = (request: BookingRequest) => toNshiftShipment(request, config, tools.clock.now());
    const booked = async (request: BookingRequest, shipment: object) =>
      fromNshiftBooking(request, await api.book({ json: toPrint(config, shipment) }), config);
    const { priceCurrency: currency } = config;
    const pickupPoints = byPlainPostalCode((query) => agentsNear(api, query, config.agentType));
    const withPoint = async (request: BookingRequest) =>
      isFound(request, config) ? withNearestPoint(request, pickupPoints) : request;
    return {
      book: async (request) => withPoint(request).then((whole) => booked(whole, outbound(whole))),
      returnLabel: (request) => booked(request, toNshiftReturn(request, config)),
      fetchLabels: (booking) => documentsAt(api, booking),
      cancel: (booking) => api.cancel({ params: { id: numberOf(booking) } }),
      ...(currency && {
        quote: async (request) => {
          const json = await api.prices({ json: { shipment: outbound(await withPoint(request)) } });
          return readQuote({ ...Object(json), currency }, PRICE);
        },
      }),
      ...(config.trackBack && {
        trackChanges: async (cursor) => fromNshiftChanges(await api.changes({ query: { fetchId: cursor ?? '-1' } })),
      }),
      pickupPoints,
      probe: () => api.partners(),
      check: (request) => checkForNshift(request, config),
      textChanges: textChangesBy(FIELDS),
    };
  },
});

/** @throws CarrierRejected it is asked by an id */
async function agentsNear(api: NshiftApi, query: PickupPointQuery, type: string): Promise<readonly PickupPoint[]> {
  const text = 'nShift finds pick-up points by a postal code only, not by an id';
  if ('id' in query) throw new CarrierRejected([problemOf('by-postal-code', text)]);
  const { countryCode, postalCode: zip, street } = query.near;
  return readPoints(query, await api.agents({ query: { type, countryCode, zip, ...(street && { street }) } }), AGENT);
}
