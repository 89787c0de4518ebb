import type { Confidence, Party, PickupPointQuery } from '../contract/index.js';
import { defineCarrier } from '../contract/index.js';
import { textChangesBy } from '../toolkit/checks/party-problems.js';
import { notTheCarrier } from '../toolkit/json-client.js';
import { trackingNumbersOf } from '../toolkit/parcels/booked-parcels.js';
import { namedPoint } from '../toolkit/pickup-points.js';
import { refuseFor } from '../toolkit/preflight.js';
import { languageOf } from '../toolkit/text.js';
import { sampleRequest } from '../toolkit/sample-request.js';
import { LABELS, PRODUCTION, type PostnordApi, postnordApi, printedAs } from './api.js';
import { fromPostnordBooking, fromPostnordSearch, labelsOf } from './booking.js';
import { toPostnordBooking, toPostnordReturn } from './booking.js';
import { FIELDS, checkForPostnord, returnProblems } from './check.js';
import { ISSUERS, PostnordConfig } from './config.js';
import { pointsAtPostnord } from './pickup-points.js';
import { LETTERS, SERVICES, checkRule, pointOf } from './services.js';
import { fromPostnordTracking } from './tracking.js';

/** README, Sources and Assumptions. */
const CONFIDENCE: Confidence = {
  source:
    "PostNord's own descriptions of its interfaces (Booking 3.5, Track & Trace v7, Service Points v5), as a public client stores them",
  level: 'high',
  assumed: [
    'A booking is found by its reference 15 minutes after it was made: PostNord names no time.',
    "Which additional services go together is a snapshot of PostNord's lists.",
    'Data for customs are not sent: the names of their fields are not certain.',
    'What a return label needs joins the general description with that of the booking.',
  ],
};

/** PostNord's own API: Denmark, Sweden, Norway and Finland, and from there abroad. It cancels nothing. */
export const postnord = defineCarrier({
  id: 'postnord',
  name: 'PostNord',
  baseUrl: PRODUCTION,
  Config: PostnordConfig,
  secrets: ({ apiKey }) => [apiKey], // it stands in the address of every request
  fields: FIELDS,
  sample: {
    account: 'postnord',
    config: () => ({ apiKey: '${POSTNORD_API_KEY}', customerNumber: '990000001', applicationId: 9999 }),
    secrets: { POSTNORD_API_KEY: 'sandbox-postnord-key' },
    request: sampleRequest(),
  },
  traits: {
    repeatedBooking: 'books-again', // `messageId` is not documented to tell a repeated request
    bookingVisibleAfterMs: 900_000, // our assumption: tracking knows a booking once its EDI is processed
    maxParcels: 100, // `labelsPerPage`: so many labels come with the answer; an item list may have 200
    maxReferenceLength: FIELDS.referenceNo.longest, // Booking: `referenceNo`
    labels: LABELS,
    customsPapers: { form: 'invoice', postalServices: LETTERS }, // README, Customs; neither is sent as data
    services: SERVICES,
    confidence: CONFIDENCE,
    trackAtOnce: 1, // Track & Trace: one id in the path
  },
  checkRule,
  connect: (config, tools) => {
    const api = postnordApi(config, tools);
    const pickupPoints = (query: PickupPointQuery) => pointsAtPostnord(api, query);
    return {
      sender: 'area',
      book: async (request) => {
        const named = pointOf(request);
        const point = named === null ? null : await namedPoint(named, request, pickupPoints);
        const json = toPostnordBooking(request, point, { config, now: tools.clock.now() });
        return fromPostnordBooking(
          request,
          await api.book({ ...printedAs(request.labelForm, localeOf(request.recipient)), json }),
        );
      },
      returnLabel: async (request) => {
        refuseFor(returnProblems(request));
        const json = toPostnordReturn(request, { config, now: tools.clock.now() });
        return fromPostnordBooking(
          request,
          await api.return({ ...printedAs(undefined, localeOf(request.sender)), json }),
        );
      },
      findByReference: async (request) => {
        const params = { customerNumber: config.customerNumber, reference: request.reference };
        return fromPostnordSearch(request, await api.find({ params }));
      },
      fetchLabels: async (booking, form) => {
        const json = trackingNumbersOf(booking).map((id) => ({ id }));
        const printouts = await api.labels({ ...printedAs(form), json });
        const labels = labelsOf(booking, printouts);
        if (labels.length === 0) throw new Error('an answer without a label of each parcel');
        return labels;
      },
      track: async (numbers) => {
        const answers = numbers.map(async (id) => fromPostnordTracking(id, await api.track({ params: { id } })));
        return (await Promise.all(answers)).flat();
      },
      pickupPoints,
      probe: () => probe(api, config),
      check: (request) => checkForPostnord(request, config),
      textChanges: textChangesBy(FIELDS),
    };
  },
});

/** @param told gets PostNord's messages, which are Swedish otherwise */
const localeOf = ({ address }: Party) => ({ locale: languageOf(address.countryCode) });

/** Whether PostNord answers, by a question that it answers with a word. */
async function probe(api: PostnordApi, { customerNumber, issuerCode }: PostnordConfig): Promise<void> {
  const answer = await api.customer({ query: { customerNumber, countryCode: ISSUERS[issuerCode] } });
  if (!/^\W*(IN)?VALID\W*$/.test(new TextDecoder().decode(answer.body))) throw notTheCarrier(answer);
}
