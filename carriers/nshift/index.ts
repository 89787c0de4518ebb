import type { BookingRequest, PickupPoint, PickupPointQuery, Quote } from '../contract/index.js';
import { CarrierRejected, defineCarrier } from '../contract/index.js';
import { neededAt, numberOf, problemOf, said, sampleRequest, textAt, textChangesBy } from '../toolkit/index.js';
import { unexpected, withNearestPoint } from '../toolkit/index.js';
import type { NshiftApi } from './api.js';
import { combinedKey, nshiftApi } from './api.js';
import { documentsAt, fromNshiftBooking, toNshiftReturn, toNshiftShipment, toPrint } from './booking.js';
import { FIELDS, checkForNshift } from './check.js';
import { NshiftConfig } from './config.js';
import { SERVICES, checkRule, isFound } from './services.js';

/** nShift Delivery, once Unifaun: books with the carriers with which its account has agreements. It has no search by a reference. */
export const nshift = defineCarrier({
  id: 'nshift',
  name: 'nShift',
  baseUrl: 'https://api.unifaun.com/rs-extapi/v1',
  Config: NshiftConfig,
  secrets: (config) => [config.pin, combinedKey(config)],
  fields: FIELDS,
  sample: {
    account: 'nshift',
    config: () => ({ user: 'SANDBOXNSHIFT001', pin: '${NSHIFT_PIN}', senderQuickId: '1', bulkId: '1' }),
    secrets: { NSHIFT_PIN: 'SANDBOXNSHIFTSECRET00001' },
    request: sampleRequest(),
  },
  settingsInIms: {
    key: 'PostnordTransport',
    keptBy: 'carrier',
    login: ['user', 'pin'],
    within: ['senderQuickId', 'bulkId'],
    customer: ['user'],
  },
  traits: {
    repeatedBooking: 'books-again', // no idempotency key (README, Booking)
    bookingVisibleAfterMs: 0, // there is no search among printed shipments
    maxParcels: 100, // our assumption, as the next: no limit is documented
    maxReferenceLength: 35,
    labels: [{ format: 'pdf' }], // its size is that of the account's `media`; ZPL was not confirmed
    pickupPointsBy: 'postal-code',
    services: SERVICES,
    // README, Sources and Assumptions
    confidence: {
      source:
        "nShift's own description of the API (2016), newer public clients, and an integration that runs in production",
      level: 'high',
      assumed: [
        'Measures go in metres with PostNord, as in production, and in centimetres with other carriers.',
        'A return alone has the parties of the shipment that went out.',
        'How the kind of an invoice for customs is spelled differs between sources.',
        'The answer to a question for prices names no currency: the account says it.',
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
    const { priceCurrency: currency, agentType } = config;
    const pickupPoints = (query: PickupPointQuery) => agentsNear(api, query, agentType);
    const withPoint = async (request: BookingRequest) =>
      isFound(request, config) ? withNearestPoint(request, pickupPoints) : request;
    return {
      book: async (request) => {
        const whole = await withPoint(request);
        return booked(whole, outbound(whole));
      },
      returnLabel: (request) => booked(request, toNshiftReturn(request, config)),
      fetchLabels: (booking) => documentsAt(api, booking),
      cancel: (booking) => api.cancel({ params: { id: numberOf(booking) } }),
      ...(currency && { quote: async (request) => quoteOf(api, outbound(await withPoint(request)), currency) }),
      pickupPoints,
      probe: () => api.partners(),
      check: (request) => checkForNshift(request, config),
      textChanges: textChangesBy(FIELDS),
    };
  },
});

/** By the prices of the agreements that are stored in the account. */
async function quoteOf(api: NshiftApi, shipment: object, currency: string): Promise<Quote> {
  const json = await api.prices({ json: { shipment } });
  const amount = textAt(json, 'priceWithAdditionalSurcharges') ?? textAt(json, 'price');
  if (amount === null || !/^\d+(\.\d+)?$/.test(amount)) throw unexpected(json, 'a price');
  return { amount, currency, workingDays: null, estimatedDelivery: null };
}

/** @throws CarrierRejected it is asked by an id */
async function agentsNear(api: NshiftApi, query: PickupPointQuery, type: string): Promise<readonly PickupPoint[]> {
  if ('id' in query)
    throw new CarrierRejected([
      problemOf('by-postal-code', 'nShift finds pick-up points by a postal code only, not by an id'),
    ]);
  const { countryCode, postalCode, street } = query.near;
  const agents = await api.agents({ query: { type, countryCode, zip: postalCode, ...(street && { street }) } });
  return agents.slice(0, query.limit).map((agent) => ({
    ...{ id: neededAt(agent, 'id'), name: neededAt(agent, 'name') },
    street: said(textAt(agent, 'address1'), textAt(agent, 'address2')).join(', ') || null,
    ...{ postalCode: textAt(agent, 'zipcode'), city: textAt(agent, 'city') },
    countryCode: neededAt(agent, 'countryCode'),
    ...{ distanceM: null, kind: null, openingHours: textAt(agent, 'openingHours') },
  }));
}
