import type { Booking, BookingRequest, Parcel } from '../../contract/index.js';

/* For carriers that book one parcel at a time. */

/** The core splits by `maxParcels`; a second parcel here would be lost. */
export function onlyParcel({ parcels: [parcel, ...more] }: BookingRequest): Parcel {
  if (!parcel || more.length > 0) throw new Error(`this carrier books one parcel at a time, not ${more.length + 1}`);
  return parcel;
}

/** The carrier's number of the parcel; an operator who resolves a booking enters it too. */
export function onlyTrackingNumber({ parcels: [parcel] }: Booking): string {
  if (parcel?.kind !== 'booked') throw new Error('a booking of a parcel without its number');
  return parcel.trackingNumber;
}
