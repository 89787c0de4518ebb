import { defineCarrier } from '../contract/index.js';
import { byPlainPostalCode, namedPoint, neededContact, notTheCarrier, oneByOne } from '../toolkit/index.js';
import { readFoundBooking, readTracking, refuseFor, textChangesBy, trackingNumbersOf } from '../toolkit/index.js';
import { LABELS, PRODUCTION, postnordApi, printedAs } from './api.js';
import { fromPostnordBooking, labelsOf, pageOf, toCn22, toPostnordBooking, toPostnordReturn } from './booking.js';
import { ISSUERS, PostnordConfig } from './config.js';
import { SHIPMENTS, pointsAtPostnord } from './questions.js';
import { FIELDS, LETTERS, NEEDED, RETURN, SERVICES, checkForPostnord, checkRule, pointOf } from './services.js';

/** PostNord's own API: Denmark, Sweden, Norway and Finland, and from there abroad. It cancels nothing. */
export const postnord = defineCarrier({
  ...{ id: 'postnord', name: 'PostNord', baseUrl: PRODUCTION, Config: PostnordConfig, fields: FIELDS },
  customer: ['customerNumber', 'issuerCode'],
  secrets: ({ apiKey }) => [apiKey], // it stands in the address of every request
  sample: {
    config: () => ({ apiKey: '${POSTNORD_API_KEY}', customerNumber: '990000001', applicationId: 9999 }),
    secrets: { POSTNORD_API_KEY: 'sandbox-postnord-key' },
  },
  traits: {
    repeatedBooking: 'books-again', // `messageId` is not documented to tell a repeated request
    bookingVisibleAfterMs: 900_000, // our assumption: tracking knows a booking once its EDI is processed
    maxParcels: 100, // `labelsPerPage`: so many labels come with the answer; an item list may have 200
    maxReferenceLength: FIELDS.referenceNo.longest, // Booking: `referenceNo`
    ...{ labels: LABELS, services: SERVICES },
    // README, Customs
    customsPapers: { form: 'invoice', postalServices: LETTERS, declares: (request) => toCn22(request) !== undefined },
    // README, Sources and Assumptions
    confidence: {
      source:
        "PostNord's own descriptions of its interfaces (Booking 3.5, Track & Trace v7, Service Points v5), as a public client stores them",
      level: 'high',
      assumed: [
        'A booking is found by its reference 15 minutes after it was made: PostNord names no time.',
        "Which additional services go together is a snapshot of PostNord's lists.",
        'Data for customs are sent with letters only, by the names that a public client has.',
        'What a return label needs joins the general description with that of the booking.',
      ],
    },
    takesReturnAddress: true, // `returnParty`
  },
  checkRule,
  connect: (config, tools) => {
    const api = postnordApi(config, tools);
    const { customerNumber } = config;
    const context = () => ({ config, now: tools.clock.now() });
    const pickupPoints = byPlainPostalCode(pointsAtPostnord(api));
    return {
      sender: 'area',
      book: async (request) => {
        const point = await namedPoint(pointOf(request), request, pickupPoints);
        const json = toPostnordBooking(request, point, context());
        const printed = printedAs(request.labelForm, request.recipient);
        return fromPostnordBooking(request, await api.book({ ...printed, json }));
      },
      returnLabel: async (request) => {
        refuseFor(neededContact(request.sender, [RETURN], NEEDED)); // PostNord tells the customer by both ways
        const json = toPostnordReturn(request, context());
        return fromPostnordBooking(request, await api.return({ ...printedAs(undefined, request.sender), json }));
      },
      findByReference: async (request) => {
        const found = await api.find({ params: { customerNumber, reference: request.reference } });
        if ('compositeFault' in Object(found)) return null;
        return readFoundBooking(found ?? {}, request, { ...SHIPMENTS, pageOf: (each) => pageOf(request, each) });
      },
      fetchLabels: async (booking, form) => {
        const json = trackingNumbersOf(booking).map((id) => ({ id }));
        const labels = labelsOf(booking, await api.labels({ ...printedAs(form), json }));
        if (labels.length === 0) throw new Error('an answer without a label of each parcel');
        return labels;
      },
      track: oneByOne(async (id) => readTracking(await api.track({ params: { id } }), id, SHIPMENTS)),
      probe: async () => {
        const answer = await api.customer({ query: { customerNumber, countryCode: ISSUERS[config.issuerCode] } });
        if (!/^\W*(IN)?VALID\W*$/.test(new TextDecoder().decode(answer.body))) throw notTheCarrier(answer);
      },
      check: (request) => checkForPostnord(request, config),
      ...{ pickupPoints, textChanges: textChangesBy(FIELDS) },
    };
  },
});
