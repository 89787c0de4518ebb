import type { BookingRequest, Parcel } from '../contract/index.js';
import { defineCarrier } from '../contract/index.js';
import { duringCancellation } from '../toolkit/during.js';
import { check } from './check.js';
import { daoClient } from './api.js';
import { DaoConfig } from './config.js';
import { lossesAtDao } from './fields.js';
import { barcodeOf, toBooking, toDaoOrder } from './booking.js';

export const dao = defineCarrier({
  id: 'dao',
  name: 'DAO',
  baseUrl: 'https://api.dao.as',
  Config: DaoConfig,
  settingsInIms: {
    key: 'DAOTransport',
    keptBy: 'carrier',
    login: ['customerId', 'code'],
    within: ['senderId'],
    customer: ['customerId'],
  },
  traits: {
    repeatedBooking: 'books-again', // no idempotency key; a repeated order gets a new barcode (README, Sources)
    bookingVisibleAfterMs: 0, // there is no search by `faktura`
    // nothingBookedAfter: no source says so of any answer (README, Assumptions)
    maxParcels: 1, // one order is one parcel
    maxReferenceLength: 20, // our assumption, no limit is documented: see README
    trackAtOnce: 1, // TrackNTrace_v2.php takes one `stregkode`
    labelFormats: ['pdf'], // HentLabel.php gives nothing else
    trackingNumberPattern: /^\d{20}$/, // `stregkode`: 20 digits (README, Sources)
  },
  connect: (config, tools) => {
    const client = daoClient(config, tools);
    return {
      check,
      losses: lossesAtDao,
      book: async (request) => {
        const parcel = onlyParcel(request);
        return {
          booking: toBooking(parcel, await client.placeOrder(toDaoOrder(request, { parcel, config }))),
          labels: [],
        };
      },
      fetchLabels: async (booking) => [await client.fetchLabel(barcodeOf(booking))],
      track: async (barcodes) => (await Promise.all(barcodes.map((barcode) => client.track(barcode)))).flat(),
      probe: client.probe,
      cancel: (booking) => duringCancellation(() => client.cancel(barcodeOf(booking))),
    };
  },
});

/** The core splits by `maxParcels`; a second parcel here would be lost. */
function onlyParcel(request: BookingRequest): Parcel {
  const [parcel, ...more] = request.parcels;
  if (!parcel || more.length > 0) throw new Error(`DAO books one parcel at a time, not ${request.parcels.length}`);
  return parcel;
}
