import type { Booking } from '../contract/index.js';
import { CarrierRejected, defineCarrier } from '../contract/index.js';
import { during } from '../toolkit/during.js';
import { parseBringCallback } from './tracking/webhook.js';
import { checkForBring } from './check/index.js';
import { bringClient } from './api.js';
import { nothingWasBooked } from './errors.js';
import { BringConfig } from './config.js';
import { fromBringEvents } from './tracking/events.js';
import { lossesAtBring } from './losses.js';
import { bringInIms } from './ims-settings.js';
import { fromBringBooking, toBringBooking } from './booking.js';
import { fromShippingGuide, toShippingGuideRequest } from './quotes.js';
import { fromBringTracking } from './tracking/lookup.js';
import { MAX_PACKAGES, MAX_TEXT_LENGTH } from './wire.js';

/** An assumption: Bring says no more than that tracking does not know a new booking at once. */
const VISIBLE_IN_TRACKING_AFTER_MS = 600_000;

/** Bring (Posten Bring): parcels in and between the Nordic countries. No cancellation: its Booking API has none. */
export const bring = defineCarrier({
  id: 'bring',
  name: 'Bring',
  baseUrl: 'https://api.bring.com',
  Config: BringConfig,
  settingsInIms: bringInIms,
  traits: {
    repeatedBooking: 'books-again', // Booking API: no key that makes a repeated request the same one
    bookingVisibleAfterMs: VISIBLE_IN_TRACKING_AFTER_MS,
    maxParcels: MAX_PACKAGES, // Booking API: packages in a consignment
    maxReferenceLength: MAX_TEXT_LENGTH, // Booking API: reference of a party
    nothingBookedAfter: nothingWasBooked, // Booking API, error codes: BOOK-INTERNAL; below 500 only (README, Assumptions)
    trackAtOnce: 1, // Tracking API: one number in `q`
    labelFormats: ['pdf'], // Booking API: links.labels; only the mailbox parcel with RFID (3570) has ZPL
  },
  parseCallback: parseBringCallback,
  connect: (config, tools) => {
    const client = bringClient(config, tools);
    return {
      book: (request) =>
        during('change', async () => {
          const booking = toBringBooking(request, { config, now: tools.clock.now() });
          return fromBringBooking(request, await client.book(booking));
        }),
      findByReference: (request) =>
        during('read', async () => fromBringTracking(request, await client.track(request.reference))),
      fetchLabels: (booking) => during('read', async () => [await client.label(linkOf(booking))]),
      quote: (request) =>
        during('read', async () => {
          const question = toShippingGuideRequest(request, { config, now: tools.clock.now() });
          return fromShippingGuide(await client.products(question));
        }),
      track: (numbers) =>
        during('read', async () => {
          const answers = numbers.map(async (number) => fromBringEvents(number, await client.track(number)));
          return (await Promise.all(answers)).flat();
        }),
      probe: client.probe,
      sender: config.sender,
      check: (request) => checkForBring(request, config),
      losses: (request) => lossesAtBring(request, config),
    };
  },
});

/** The link is in the answer to the booking and nowhere else. */
function linkOf(booking: Booking): string {
  if (booking.labelSource !== null) return booking.labelSource;
  const text = `the answer with the link to the label was lost; print the label of shipment ${booking.carrierNumber} in Mybring`;
  throw new CarrierRejected([{ code: 'label-link-lost', text, parcelId: null }]);
}
