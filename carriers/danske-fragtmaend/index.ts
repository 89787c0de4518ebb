import { defineCarrier } from '../contract/index.js';
import { textChangesBy } from '../toolkit/checks/party-problems.js';
import { neededList, textAt } from '../toolkit/json.js';
import { numberOf } from '../toolkit/parcels/booked-parcels.js';
import { PRODUCTION, fragtApi } from './api.js';
import { fromFragtConsignment, fromFragtSearch, fromFragtTracking, searchFor } from './booking.js';
import { toFragtConsignment, toFragtReturn } from './booking.js';
import { FragtConfig } from './config.js';
import { FIELDS, SERVICES, checkForFragt, checkRule } from './services.js';

/** Danske Fragtmænd: groupage, pallets and parcels in Denmark and to its neighbours. No client cancels anything. */
export const danskeFragtmaend = defineCarrier({
  id: 'danske-fragtmaend',
  name: 'Danske Fragtmænd',
  baseUrl: PRODUCTION,
  Config: FragtConfig,
  secrets: ({ password }) => [password],
  fields: FIELDS,
  sample: {
    config: () => ({
      ...{ clientId: 'sandbox', userName: 'sandbox', password: '${DF_PASSWORD}' },
      ...{ agreementNumber: '999999', HubAgreement: 'XX' },
      trackingCodes: { SIM_TRANSIT: 'in-transit', SIM_DELIVERED: 'delivered' },
    }),
    secrets: { DF_PASSWORD: 'sandbox-df-password' },
  },
  customer: ['agreementNumber'],
  settingsInIms: {
    key: 'DFTransport',
    keptBy: 'seller',
    login: ['clientId', 'userName', 'password'],
    within: ['agreementNumber'],
    asTheApp: { volume: 'm3', smallParcels: 'K20' },
    instruction: (given) => {
      const service = textAt(given, 'ShippingType');
      const options = Object.entries(given).filter(([name]) => name !== 'ShippingType' && name !== 'shipmentPattern');
      return service === null ? null : { service, options: Object.fromEntries(options) };
    },
  },
  traits: {
    repeatedBooking: 'books-again', // no idempotency key (README, Booking)
    bookingVisibleAfterMs: 60_000, // our assumption, as the next two: see README
    maxParcels: 50,
    maxReferenceLength: 35,
    labels: [{ format: 'pdf', widthMm: 100, heightMm: 190 }], // `Label10x19ForLabelPrinter`; other names are not known
    customsPapers: { form: 'invoice' }, // the interface has no field for customs
    services: SERVICES,
    // README, Sources and Assumptions
    confidence: {
      source: 'four independent public clients, two of them in production; Danske Fragtmænd publishes no description',
      level: 'medium',
      assumed: [
        'A list of consignments has their parcels, and a new one after a minute: no client shows it.',
        'Return labels are consignments of the type Return: no client makes one.',
        'What the codes of tracking mean is not known: the account says it. A consignment and its parcels have the same events.',
        'The volume of parcels is sent where the account says its unit, because clients disagree about it.',
        'The days and types of timed delivery, exchanged pallets and insurance have the names of a typed client; their values are not known.',
        'A consignment has at most 50 parcels, a reference at most 35 characters: no limit is known.',
        'Labels have the size that the name of their form says, in centimetres.',
      ],
    },
  },
  checkRule,
  connect: (config, tools) => {
    const api = () => fragtApi(config, tools);
    const now = () => tools.clock.now();
    return {
      book: async (request) => {
        const { book } = await api();
        return fromFragtConsignment(request, await book({ json: toFragtConsignment(request, { config, now: now() }) }));
      },
      returnLabel: async (request) => {
        const { book } = await api();
        return fromFragtConsignment(request, await book({ json: toFragtReturn(request, { config, now: now() }) }));
      },
      findByReference: async (request) => {
        const { find } = await api();
        return fromFragtSearch(request, await find({ query: searchFor(request, now()) }));
      },
      fetchLabels: async (booking) => {
        const { label } = await api();
        return [await label({ query: { consignmentNumbers: numberOf(booking), labelType: config.labelType } })];
      },
      track: async ([number = ''], carrierNumbers) => {
        const consignmentNumber = carrierNumbers?.[number];
        if (consignmentNumber === undefined) return [];
        const { track } = await api();
        return fromFragtTracking(number, await track({ query: { consignmentNumber } }), config);
      },
      probe: async () => {
        const { probe } = await api();
        neededList(await probe({ query: { sinceDateTime: now().toISOString() } }), 'ConsignmentNotes');
      },
      check: (request) => checkForFragt(request, config),
      textChanges: textChangesBy(FIELDS),
    };
  },
});
