import type { Booking } from '../contract/index.js';
import { defineCarrier } from '../contract/index.js';
import { during, duringCancellation } from '../toolkit/during.js';
import { pdfLabel } from '../toolkit/pdf-answer.js';
import { parsePretendCallback } from './tracking/webhook.js';
import { checkForPretend } from './check.js';
import { pretendClient } from './api.js';
import { PretendConfig } from './config.js';
import { lossesAtPretend } from './fields.js';
import {
  fromPretendBooking,
  fromPretendManifest,
  fromPretendQuote,
  fromPretendSearch,
  neverDone,
  toPretendBooking,
  toPretendQuestion,
} from './booking.js';
import { fromPretendTracking } from './tracking/events.js';
import { MAX_PARCELS, MAX_REFERENCE_LENGTH, TRACK_AT_ONCE } from './wire.js';

/** A carrier that does not exist, for demonstrations and tests: its simulator does what the service code says. */
export const pretend = defineCarrier({
  id: 'pretend',
  name: 'Pretend',
  baseUrl: 'http://127.0.0.1:9090/carriers/pretend',
  Config: PretendConfig,
  settingsInIms: { key: 'PretendTransport', keptBy: 'seller', login: ['apiKey'], within: [], customer: [] },
  traits: {
    repeatedBooking: 'books-again', // on purpose: a booking that was made twice is seen
    bookingVisibleAfterMs: 500, // README, "Search"
    maxParcels: MAX_PARCELS, // README, "Limits"
    maxReferenceLength: MAX_REFERENCE_LENGTH, // README, "Limits"
    nothingBookedAfter: neverDone, // README, "API": 503 `closed`
    labelFormats: ['pdf'],
    trackAtOnce: TRACK_AT_ONCE, // README, "API"
  },
  parseCallback: parsePretendCallback,
  connect: (config, tools) => {
    const client = pretendClient(config, tools);
    return {
      book: (request) =>
        during('change', async () => fromPretendBooking(request, await client.book(toPretendBooking(request)))),
      findByReference: (request) =>
        during('read', async () => fromPretendSearch(request, await client.search(request.reference))),
      fetchLabels: (booking) => during('read', async () => [pdfLabel(await client.labels(numberOf(booking)))]),
      cancel: (booking) => duringCancellation(() => client.cancel(numberOf(booking))),
      quote: (request) => during('read', async () => fromPretendQuote(await client.quote(toPretendQuestion(request)))),
      track: (numbers) => during('read', async () => fromPretendTracking(numbers, await client.track(numbers))),
      closeOut: (bookings) =>
        during('change', async () => fromPretendManifest(await client.closeOut(bookings.map(numberOf)))),
      probe: client.probe,
      check: checkForPretend,
      losses: lossesAtPretend,
    };
  },
});

function numberOf(booking: Booking): string {
  if (booking.carrierNumber === null) throw new Error('a booking at Pretend always has a number');
  return booking.carrierNumber;
}
