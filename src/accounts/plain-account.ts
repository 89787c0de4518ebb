import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import { plainProblem } from '../../carriers/contract/errors.js';
import type {
  Booking,
  BookingWithLabels,
  Cancellation,
  FoundBooking,
  PickupPoint,
} from '../../carriers/contract/model.js';
import { MAX_WORD_CHARACTERS, plainLink, plainText } from '../../carriers/contract/plain-text.js';
import type { TrackingEvent } from '../../carriers/contract/tracking.js';
import { onlyKeys } from '../../carriers/contract/wrap-account.js';

/**
 * Cleans the texts and links in a carrier's answers. Numbers are checked later (`machine/numbers.ts`); errors and events are
 * cleaned where they are made.
 */
export function plainAccount(carrier: CarrierAccount): CarrierAccount {
  const { book, findByReference, cancel, closeOut, pickupPoints, returnLabel, ...others } = carrier;
  const plain = async (answer: Promise<BookingWithLabels>) => {
    const { booking, ...rest } = await answer;
    return { ...rest, booking: plainBooking(booking) };
  };
  return {
    // What people read of the answers of a new method has to be cleaned here.
    ...onlyKeys<'sender' | 'check' | 'textChanges' | 'fetchLabels' | 'quote' | 'track' | 'trackChanges' | 'probe'>()(
      others,
    ),
    book: (request) => plain(book.call(carrier, request)),
    ...(returnLabel && { returnLabel: (request) => plain(returnLabel.call(carrier, request)) }),
    ...(findByReference && {
      findByReference: async (request) => plainFound(await findByReference.call(carrier, request)),
    }),
    ...(cancel && { cancel: async (booking) => plainCancellation(await cancel.call(carrier, booking)) }),
    ...(pickupPoints && {
      pickupPoints: async (query) => {
        const points = await pickupPoints.call(carrier, query);
        return points
          .filter(isBookable)
          .slice(0, 'near' in query ? query.limit : 1)
          .map(plainPoint);
      },
    }),
    ...(closeOut && {
      closeOut: async (bookings) => {
        const { number } = await closeOut.call(carrier, bookings);
        return { number: plainWord(number) };
      },
    }),
  };
}

/** Cleans an event of an answer or callback. */
export function plainEvent(event: TrackingEvent): TrackingEvent {
  return {
    ...event,
    code: plainWord(event.code),
    text: event.text === null ? null : plainText(event.text),
    place: plainWord(event.place),
    estimatedDelivery: plainWord(event.estimatedDelivery),
    trackingUrl: plainLink(event.trackingUrl ?? null),
  };
}

function plainBooking(booking: Booking): Booking {
  const parcels = booking.parcels.map((parcel) =>
    parcel.kind === 'booked'
      ? { ...parcel, trackingUrl: plainLink(parcel.trackingUrl) }
      : { ...parcel, problems: parcel.problems.map(plainProblem) },
  );
  return { ...booking, parcels };
}

function plainFound(found: FoundBooking | null): FoundBooking | null {
  if (found === null) return null;
  const parcels = found.parcels.map((parcel) => ({ ...parcel, trackingUrl: plainLink(parcel.trackingUrl) }));
  return { ...found, parcels };
}

function plainCancellation(cancellation: Cancellation): Cancellation {
  if (cancellation.kind === 'cancelled') return cancellation;
  return { ...cancellation, problems: cancellation.problems.map(plainProblem) };
}

/** An id that would have to be changed to be shown names no point any more. */
function isBookable({ id }: PickupPoint): boolean {
  return id !== '' && plainWord(id) === id;
}

function plainPoint(point: PickupPoint): PickupPoint {
  const { name, street, postalCode, city, countryCode, openingHours } = point;
  return {
    ...point,
    name: plainText(name),
    street: plainWord(street),
    postalCode: plainWord(postalCode),
    city: plainWord(city),
    countryCode: plainText(countryCode, MAX_WORD_CHARACTERS),
    openingHours: openingHours === null ? null : plainText(openingHours),
  };
}

function plainWord(text: string | null): string | null {
  return text === null ? null : plainText(text, MAX_WORD_CHARACTERS);
}
