import type { Booking, BookingRequest, FoundBooking } from '../../contract/index.js';

/** A parcel as an answer names it. */
type AnsweredParcel = FoundBooking['parcels'][number];

/**
 * Every parcel of the request as booked, found in the answer by the id that we sent.
 * @param answered the parcels of the answer, in any order
 * @throws Error the answer has no such parcel
 */
export function bookedParcels({ parcels }: BookingRequest, answered: readonly AnsweredParcel[]): Booking['parcels'] {
  return parcels.map(({ id }) => {
    const parcel = answered.find(({ parcelId }) => parcelId === id);
    if (parcel === undefined) throw new Error(`the answer has no parcel ${id}`);
    return { ...parcel, kind: 'booked', parcelId: id };
  });
}

/** The carrier's number of a booking. @throws Error it has none */
export function numberOf({ carrierNumber }: Booking): string {
  if (carrierNumber === null) throw new Error('a booking without the number of the carrier');
  return carrierNumber;
}
