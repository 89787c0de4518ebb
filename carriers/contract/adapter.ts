import type {
  Booking,
  BookingRequest,
  BookingWithLabels,
  Cancellation,
  CloseOut,
  FoundBooking,
  Label,
  TextChange,
  PickupPoint,
  PickupPointQuery,
  Problem,
  Quote,
} from './model.js';
import type { HttpAnswer, HttpPort } from './http-port.js';
import type { CallbackDelivery, CallbackOutcome, TrackingEvent } from './tracking.js';
import type { CarrierService, Confidence, LabelForm } from './traits.js';

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

/**
 * What the core must know of a carrier to be safe with it, and what people must know to choose it. Each value names its source
 * beside it.
 */
export interface Traits {
  /** What the carrier does when the same reference is booked again. */
  readonly repeatedBooking: 'returns-first' | 'refused' | 'books-again';
  /** After this long a booking that was made is certainly found by its reference; 0 where there is no search. */
  readonly bookingVisibleAfterMs: number;
  /**
   * How long the carrier may still be at work on a booking after its sender stopped waiting for the answer, or lost the
   * connection: only after that, and `bookingVisibleAfterMs`, "not found" means that nothing is booked. 60 s when not given.
   */
  readonly bookingEndsWithinMs?: number;
  /** Parcels in one booking; the core splits a shipment that has more. */
  readonly maxParcels: number;
  readonly maxReferenceLength: number;
  /**
   * Which answers to a booking prove that nothing was booked, besides refusals and 429, and by what source. Missing: none
   * is known, and every other failure may be a booking.
   */
  readonly nothingBookedAfter?: (answer: HttpAnswer) => boolean;
  /** At least one is PDF: Waybridge takes no other label yet. */
  readonly labels: readonly LabelForm[];
  /** The services that the adapter knows, as rules name them; missing: not stated. */
  readonly services?: readonly CarrierService[];
  /** Missing: not stated. */
  readonly confidence?: Confidence;
  /** The form of its tracking numbers, from its first character to its last; missing where nothing documents it. */
  readonly trackingNumberPattern?: RegExp;
  /** Tracking numbers in one call of `track`; 1 when not given. */
  readonly trackAtOnce?: number;
  /** Calls of `track` that it answers in a day; any number when not given. The account's settings may name another. */
  readonly trackCallsPerDay?: number;
}

/** The warehouse that the parcels leave, or the one whose goods they are; each stands in for the other where it has no address. */
export type SenderChoice = 'area' | 'seller';

/**
 * One customer relation with a carrier. The optional methods are the capabilities: what a carrier cannot do is missing.
 * No method retries, waits, logs or keeps state; each call has a deadline.
 */
export interface CarrierAccount {
  /** Whose address stands in `request.sender`: the area's, or the seller's, which it is when this is missing. */
  readonly sender?: SenderChoice;
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
  /** What this carrier would certainly refuse, and what may go wrong (`severity`); pure, sends nothing. */
  check?(request: BookingRequest): readonly Problem[];
  /** Which texts it gets shortened, in other letters or not at all; pure, and the same that `book` sends. */
  textChanges?(request: BookingRequest): readonly TextChange[];
  /**
   * Asks what this booking would cost and how long it would take; changes nothing. The deadline is short: a choice
   * does not wait for a price.
   * @throws CarrierUnavailable no answer, or none in time
   * @throws CarrierRejected it does not offer this booking
   */
  quote?(request: BookingRequest): Promise<Quote>;
  /**
   * Asks what has happened to some parcels so far; changes nothing.
   * @param trackingNumbers at least one, at most `traits.trackAtOnce`
   * @returns in any order, also what was told before; nothing of parcels that the carrier does not know
   * @throws CarrierUnavailable try again later
   * @throws CarrierRejected it is not to be had, for none of them
   */
  track?(trackingNumbers: readonly string[]): Promise<readonly TrackingEvent[]>;
  /**
   * Asks for pick-up points near an address, at most `limit` of them, or for the one with an id; changes nothing.
   * @returns in the carrier's order; empty where it has none
   * @throws CarrierUnavailable try again later
   * @throws CarrierRejected the same question would be refused again
   */
  pickupPoints?(query: PickupPointQuery): Promise<readonly PickupPoint[]>;
  /**
   * Makes a return label for one parcel that was booked, with which its recipient sends it back. Sends at most one request
   * that changes anything. `fetchLabels` gets the label where the answer has none; `findByReference` finds a return too.
   * @param request from the recipient of the booking (`sender`) to the warehouse (`recipient`), with one parcel and a
   *   reference of its own; `service` is that of the booking, and `options` are empty
   * @returns the parcel, booked
   * @throws CarrierRejected the same request would be refused again
   * @throws CarrierUnavailable nothing was made
   * @throws OutcomeUnknown it may have been made
   */
  returnLabel?(request: BookingRequest): Promise<BookingWithLabels>;
  /**
   * Asks whether the carrier answers at all, on the way that a booking takes. Changes nothing, whatever the carrier makes of
   * it: a read, or a request that cannot be booked because it names no account. A refusal is an answer. The deadline is
   * short. Missing: only a booking tells.
   * @throws CarrierUnavailable it does not answer, or something answers in its place
   */
  probe?(): Promise<void>;
  /**
   * Says that these bookings have left with the carrier, for one that wants to be told. Repeating it does no harm.
   * @param bookings at least one
   * @throws CarrierUnavailable | OutcomeUnknown try again later
   * @throws CarrierRejected it does not take it
   */
  closeOut?(bookings: readonly Booking[]): Promise<CloseOut>;
}

/**
 * How the settings of this carrier stand in the `dataDocument` of a seller or of the carrier in the IMS: under `key`, with
 * the names of `Config`.
 */
export interface SettingsInIms {
  readonly key: string;
  /** Whose document the vendor's app reads where a shipment has a seller: only there may a seller's be passed over. */
  readonly keptBy: 'seller' | 'carrier';
  /**
   * Settings that log in. A seller's document that has one of them holds settings of its own: nothing of the carrier's
   * document is added to it.
   */
  readonly login: readonly string[];
  /**
   * Settings that each belong to the one before it, the first to the login: a document that has one of them takes none
   * that follows from the other document.
   */
  readonly within: readonly string[];
  /** Settings that say whose a booking is at the carrier. No secrets: what is made of them is stored with bookings. */
  readonly customer: readonly string[];
  /** Older names, by the name in `Config`. */
  readonly olderNames?: Readonly<Record<string, string>>;
  /** Words in a shipment's `termsOfDelivery` that installations choose services by; each that it contains counts. */
  readonly words?: {
    readonly list: readonly { readonly word: string; readonly service: string }[];
    /** How a rule adds these services to what the shipment itself asks for. */
    options(services: readonly string[]): Readonly<Record<string, unknown>>;
  };
  /** Settings with which an account decides as the vendor's app does, where another value is the default. */
  readonly asTheApp?: Readonly<Record<string, unknown>>;
  /**
   * The product that an entry of `instructions` names at this carrier. Missing: it has none.
   * @returns `null`: not an instruction that this carrier understands
   */
  instruction?(instruction: Readonly<Record<string, unknown>>): {
    readonly service: string | null;
    readonly options: Readonly<Record<string, unknown>>;
  } | null;
}

/** What a field of a carrier holds, by which people are told of a text that did not fit. */
export const FIELD_NAMES = [
  'name',
  'street',
  'second-line',
  'care-of',
  'city',
  'reference',
  'contact',
  'phone',
  'mobile',
  'email',
  /** A party as a whole. */
  'address',
  'notes',
  'description',
] as const;

export type FieldName = (typeof FIELD_NAMES)[number];

/** An account that the carrier's simulator lets in, for the sandbox, the demo and tests; it opens nothing anywhere else. */
export interface CarrierSample {
  /** Its name among the accounts. */
  readonly account: string;
  /** Its `config`, in which `${NAME}` stands for one of the secrets. */
  config(simulatorUrl: string): Readonly<Record<string, unknown>>;
  /** By the names of environment variables. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Which of the secrets proves its callbacks; missing: the simulator makes none. */
  readonly callbackSecret?: string;
  /** What it books. */
  readonly request: BookingRequest;
}

/** By language (`en`, `da`), then by code. */
export type OwnTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

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
  readonly sample: CarrierSample;
  /** The carrier's own names of the fields that `textChanges` names, and what each holds. */
  readonly fields: Readonly<Record<string, { readonly means: FieldName }>>;
  /**
   * Texts of the codes that only this carrier's `check` has, by language and code; `{name}` stands for a value of the
   * problem. English is needed where there are any; in a language that is missing, people read the problem's own text.
   */
  readonly texts?: OwnTexts;
  /** Missing: nothing in the IMS speaks of this carrier. */
  readonly settingsInIms?: SettingsInIms;
  /**
   * Checks and reads a callback of the carrier; pure. Missing: the carrier makes none, or none of its own form.
   * @param raw the body as it came: signatures are over these bytes, and compared in constant time
   */
  parseCallback?(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome;
  connect(config: Settings, tools: Tools): CarrierAccount;
}

/**
 * A carrier's account as its adapter writes it. Its methods throw what they like: `defineCarrier` makes errors of the
 * contract of it. `cancel` returns when the carrier has confirmed, and `probe` when it has answered.
 */
export interface CarrierConnection extends Omit<CarrierAccount, 'cancel' | 'probe'> {
  cancel?(booking: Booking): Promise<unknown>;
  probe?(): Promise<unknown>;
}

export interface CarrierDefinition<Settings extends object> extends Omit<CarrierAdapter<Settings>, 'connect'> {
  /** The values in an account's settings that no text may show. */
  secrets(config: Settings): readonly string[];
  connect(config: Settings, tools: Tools): CarrierConnection;
}
