import type {
  Booking,
  BookingRequest,
  BookingWithLabels,
  Cancellation,
  FoundBooking,
  Label,
  LabelFormat,
  Problem,
} from './model.js';
import type { HttpPort } from './http-port.js';

export interface Clock {
  now(): Date;
}

/** Handed to an adapter when it is connected; it has nothing else of the world. */
export interface Tools {
  readonly http: HttpPort;
  readonly clock: Clock;
  /** What stands before the paths of the carrier's API, without a slash at its end. */
  readonly baseUrl: string;
}

/** What the core must know of a carrier to be safe with it. Each value names its source beside it. */
export interface Traits {
  /** What the carrier does when the same reference is booked again. */
  readonly repeatedBooking: 'returns-first' | 'refused' | 'books-again';
  /** After this long a booking that was made is certainly found by its reference; 0 where there is no search. */
  readonly bookingVisibleAfterMs: number;
  /** Parcels in one booking; the core splits a shipment that has more. */
  readonly maxParcels: number;
  readonly maxReferenceLength: number;
  readonly labelFormats: readonly LabelFormat[];
}

/**
 * One customer relation with a carrier. The optional methods are the capabilities: what a carrier cannot do is missing.
 * No method retries, waits, logs or keeps state; each call has a deadline.
 */
export interface CarrierAccount {
  /**
   * Sends at most one request that changes anything.
   * @returns every parcel of the request, booked or refused
   * @throws CarrierRejected the same request would be refused again
   * @throws CarrierUnavailable nothing was booked
   * @throws OutcomeUnknown it may have been booked
   */
  book(request: BookingRequest): Promise<BookingWithLabels>;
  /**
   * Asks whether this request was booked, by its reference.
   * @returns `null`: not there, or not visible yet
   * @throws CarrierUnavailable | CarrierRejected
   */
  findByReference?(request: BookingRequest): Promise<FoundBooking | null>;
  /**
   * Fetches the labels of a booking, in the order of its parcels; may be repeated.
   * @throws CarrierUnavailable try again later
   * @throws CarrierRejected they are not to be had
   */
  fetchLabels?(booking: Booking): Promise<readonly Label[]>;
  /**
   * Cancels the whole booking; repeating it does no harm.
   * @throws CarrierUnavailable | OutcomeUnknown
   */
  cancel?(booking: Booking): Promise<Cancellation>;
  /** What this carrier would certainly refuse; pure, sends nothing. */
  check?(request: BookingRequest): readonly Problem[];
}

/** `Settings`: a class-validator class with the key names of the account's `config`. */
export interface CarrierAdapter<Settings extends object = object> {
  /** Its folder in `carriers/`. */
  readonly id: string;
  /** As people write it. */
  readonly name: string;
  /** Where its API lives when the account names no other. */
  readonly baseUrl: string;
  readonly traits: Traits;
  readonly Config: new () => Settings;
  connect(config: Settings, tools: Tools): CarrierAccount;
}

/** Checks the shape of an adapter while compiling; returns it unchanged. */
export function defineCarrier<Settings extends object>(adapter: CarrierAdapter<Settings>): CarrierAdapter<Settings> {
  return adapter;
}
