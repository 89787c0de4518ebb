import type { Booking } from '../contract/index.js';
import { defineCarrier } from '../contract/index.js';
import { during, duringCancellation } from '../toolkit/during.js';
import { pdfLabel } from '../toolkit/pdf-answer.js';
import { pretendClient } from './client.js';
import { PretendConfig } from './config.js';
import { checkForPretend, fromPretendBooking, fromPretendSearch, toPretendBooking } from './mapping.js';
import { MAX_PARCELS, MAX_REFERENCE_LENGTH } from './wire.js';

/** A carrier that does not exist, for demonstrations and tests: its simulator does what the service code says. */
export const pretend = defineCarrier({
  id: 'pretend',
  name: 'Pretend',
  baseUrl: 'http://127.0.0.1:9090/carriers/pretend',
  Config: PretendConfig,
  traits: {
    repeatedBooking: 'books-again', // on purpose: a booking that was made twice is seen
    bookingVisibleAfterMs: 500, // README, "Search"
    maxParcels: MAX_PARCELS, // README, "Limits"
    maxReferenceLength: MAX_REFERENCE_LENGTH, // README, "Limits"
    labelFormats: ['pdf'],
  },
  connect: (config, tools) => {
    const client = pretendClient(config, tools);
    return {
      book: (request) =>
        during('change', async () => fromPretendBooking(request, await client.book(toPretendBooking(request)))),
      findByReference: (request) =>
        during('read', async () => fromPretendSearch(request, await client.search(request.reference))),
      fetchLabels: (booking) => during('read', async () => [pdfLabel(await client.labels(numberOf(booking)))]),
      cancel: (booking) => duringCancellation(() => client.cancel(numberOf(booking))),
      check: checkForPretend,
    };
  },
});

function numberOf(booking: Booking): string {
  if (booking.carrierNumber === null) throw new Error('a booking at Pretend always has a number');
  return booking.carrierNumber;
}
