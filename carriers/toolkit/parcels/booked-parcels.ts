import type { Booking, BookingRequest, FoundBooking } from '../../contract/index.js';
import { neededAt, textAt } from '../json.js';

/** A parcel as an answer names it. */
type AnsweredParcel = FoundBooking['parcels'][number];

/** Where a carrier's answer has the parts of a parcel. */
export interface ParcelFields {
  readonly number: string;
  /** Our id of it; missing: the carrier does not say which parcel a number belongs to. */
  readonly id?: string;
}

/**
 * The parcels in the rows of an answer.
 * @param pageOf the page on which the recipient follows a parcel; none when not given
 * @throws Error one has no number
 */
export function readParcels(
  rows: readonly unknown[],
  { number, id }: ParcelFields,
  pageOf: (trackingNumber: string) => string | null = () => null,
): readonly AnsweredParcel[] {
  return rows.map((row) => {
    const trackingNumber = neededAt(row, number);
    const parcelId = id === undefined ? null : textAt(row, id);
    return { parcelId, trackingNumber, trackingUrl: pageOf(trackingNumber) };
  });
}

/**
 * Every parcel of the request as booked, found in the answer by the id that we sent.
 * @param answered the parcels of the answer, in any order
 * @throws Error the answer has no such parcel
 */
export function bookedParcels({ parcels }: BookingRequest, answered: readonly AnsweredParcel[]): Booking['parcels'] {
  return parcels.map(({ id }) => {
    const parcel = answered.find(({ parcelId }) => parcelId === id);
    if (parcel === undefined) throw new Error(`the answer has no parcel ${id}; it has ${numbersIn(answered)}`);
    return { ...parcel, kind: 'booked', parcelId: id };
  });
}

/**
 * As `bookedParcels`, for a carrier that may leave our ids out: then each parcel has its place in the answer.
 * @throws Error the answer has no such parcel, or names none and has another number of them
 */
export function echoedParcels(request: BookingRequest, answered: readonly AnsweredParcel[]): Booking['parcels'] {
  if (answered.some(({ parcelId }) => parcelId !== null)) return bookedParcels(request, answered);
  if (answered.length !== request.parcels.length) throw new Error(`${answered.length} parcels in the answer`);
  const placed = answered.map((parcel, place) => ({ ...parcel, parcelId: request.parcels[place]?.id ?? null }));
  return bookedParcels(request, placed);
}

/** Lists the numbers for the person who looks for the booking at the carrier. */
function numbersIn(answered: readonly AnsweredParcel[]): string {
  return answered.map(({ trackingNumber }) => trackingNumber).join(', ') || 'none';
}

/** What an answer says of a booking, where it names the parcels by nothing of ours. */
interface AnsweredNumbers {
  readonly carrierNumber: string | null;
  /** In the order of the request; `null`: a parcel of the answer without its number. */
  readonly trackingNumbers: readonly (string | null)[];
  /** The page on which the recipient follows a parcel; none when not given. */
  pageOf?(trackingNumber: string): string | null;
  readonly labelSource?: string | null;
}

/**
 * The booking of every parcel of the request, each by its place in the answer.
 * @throws Error it is booked, but which number belongs to which parcel cannot be told; the message names all numbers
 */
export function bookedByPlace(
  { reference, parcels }: BookingRequest,
  { carrierNumber, trackingNumbers, pageOf = () => null, labelSource = null }: AnsweredNumbers,
): Booking {
  const known = trackingNumbers.filter((number) => number !== null);
  if (trackingNumbers.length !== parcels.length || new Set(known).size !== parcels.length)
    throw new Error(
      `the answer confirms reference ${reference} as ${carrierNumber ?? 'a shipment without number'} with the parcel numbers ` +
        `${known.join(', ') || '(none)'}, but ${parcels.length} were asked for: compare with the carrier's own pages`,
    );
  const booked = parcels.map(({ id: parcelId }, place) => {
    const trackingNumber = known[place] ?? '';
    return { kind: 'booked' as const, parcelId, trackingNumber, trackingUrl: pageOf(trackingNumber) };
  });
  return { carrierNumber, parcels: booked, labelSource };
}

/** The carrier's number of a booking. @throws Error it has none */
export function numberOf({ carrierNumber }: Booking): string {
  if (carrierNumber === null) throw new Error('a booking without the number of the carrier');
  return carrierNumber;
}

/** The tracking numbers of the parcels that are booked, in their order. */
export function trackingNumbersOf({ parcels }: Pick<Booking, 'parcels'>): readonly string[] {
  return parcels.flatMap((parcel) => (parcel.kind === 'booked' ? [parcel.trackingNumber] : []));
}
