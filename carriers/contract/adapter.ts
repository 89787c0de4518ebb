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
import type { HttpAnswer, RequestFields } from './http-port.js';
import type { GivenTools, Tools } from './tools.js';
import type { CallbackDelivery, CallbackOutcome, TrackingChanges, TrackingEvent } from './tracking.js';
import type { CarrierService, Confidence, LabelForm } from './traits.js';

export type { Clock, Tools } from './tools.js';

/**
 * What the core needs to know of a carrier for safe bookings, and what people need to choose it. Each value names its
 * source beside it.
 */
export interface Traits {
  /** `none`: the carrier has no API. A booking sends nothing: `book` takes numbers from `Tools.numbers`. */
  readonly api?: 'none';
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
   * Tells whether an answer to a booking proves that nothing was booked, besides refusals and 429; names its source.
   * Missing: no such answer is known, and every other failure may be a booking.
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
  /**
   * Papers that travel with parcels across a customs border, because the carrier's interface takes no data for customs:
   * Waybridge makes them. Missing: none.
   */
  readonly customsPapers?: CustomsPapers;
  /** Its bookings have a field for `BookingRequest.returnTo`. Missing: its accounts can have no `returnAddress`. */
  readonly takesReturnAddress?: true;
  /** `postal-code`: `pickupPoints` rejects a question by an id. Missing: it answers both. */
  readonly pickupPointsBy?: 'postal-code';
  /** Calls of `track` that it answers in a day; any number when not given. The account's settings may name another. */
  readonly trackCallsPerDay?: number;
}

export const PAPER_FORMS = ['invoice', 'postal'] as const;

/** Which papers a carrier wants where it takes no data for customs. */
export interface CustomsPapers {
  /** `invoice`: a commercial invoice; `postal`: a CN 22 up to its limit, above it a CN 23 with a commercial invoice. */
  readonly form: (typeof PAPER_FORMS)[number];
  /** The country in which the carrier collects the parcels, ISO 3166-1 alpha-2; missing: that of the sender. */
  readonly from?: string;
  /** Codes of services that have postal papers, whatever `form` says: letters of a carrier of parcels. Missing: none. */
  readonly postalServices?: readonly string[];
  /** Whether a booking carries the data for customs: then it has no papers. Pure; missing: none does. */
  declares?(request: BookingRequest): boolean;
}

/**
 * `area`: the warehouse that the parcels leave; `seller`: the owner of the goods. Where one has no address, the other's
 * is used.
 */
export type SenderChoice = 'area' | 'seller';

/**
 * One customer relation with a carrier. The optional methods are the capabilities: what a carrier cannot do is missing.
 * No method retries, waits, logs or keeps state; each call has a deadline.
 */
export interface CarrierAccount {
  /** Whose address `request.sender` has; missing: the seller's. */
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
   * @param form as `request.labelForm` of the booking
   * @throws CarrierUnavailable try again later
   * @throws CarrierRejected the carrier will not give them
   */
  fetchLabels?(booking: Booking, form?: LabelForm): Promise<readonly Label[]>;
  /**
   * Cancels the whole booking; repeating it does no harm.
   * @throws CarrierUnavailable nothing was cancelled, as after a 429
   * @throws OutcomeUnknown it may have been cancelled, as after a 503: a refusal of the next attempt may mean that it was
   */
  cancel?(booking: Booking): Promise<Cancellation>;
  /** What this carrier would certainly refuse, and what may go wrong (`severity`); pure, sends nothing. */
  check?(request: BookingRequest): readonly Problem[];
  /** The texts that the carrier gets shortened, in other letters or not at all; pure, and the same as `book` sends. */
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
   * @param carrierNumbers of the bookings that the parcels belong to, by tracking number; without those that are not known
   * @returns events in any order, earlier ones included; none of parcels that the carrier does not know
   * @throws CarrierUnavailable try again later
   * @throws CarrierRejected the carrier gives no events for any of them
   */
  track?(
    trackingNumbers: readonly string[],
    carrierNumbers?: Readonly<Record<string, string>>,
  ): Promise<readonly TrackingEvent[]>;
  /**
   * Asks what has changed in the whole account since the last answer, where the carrier tells that instead of answering
   * for one parcel; changes nothing.
   * @param cursor of the last answer whose events were stored; `null`: the first question
   * @throws CarrierUnavailable try again later
   * @throws CarrierRejected the account may not ask
   */
  trackChanges?(cursor: string | null): Promise<TrackingChanges>;
  /**
   * Asks for pick-up points near an address, at most `limit` of them, or for the one with an id; changes nothing.
   * @returns in the carrier's order; empty where it has none
   * @throws CarrierUnavailable try again later
   * @throws CarrierRejected the same question would be refused again, as that by an id where `traits.pickupPointsBy` says so
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
   * Asks whether the carrier's booking API answers. Can never change anything: it is a read, or a request that cannot
   * be booked because it names no account. A refusal is an answer. The deadline is short. Missing: only a booking shows
   * whether the carrier answers.
   * @throws CarrierUnavailable it does not answer, or another server answers in its place
   */
  probe?(): Promise<void>;
  /**
   * Tells the carrier that it has taken these bookings, where its API needs that. Repeating it does no harm.
   * @param bookings at least one
   * @throws CarrierUnavailable | OutcomeUnknown try again later
   * @throws CarrierRejected it refuses it
   */
  closeOut?(bookings: readonly Booking[]): Promise<CloseOut>;
}

/**
 * How to read the settings of this carrier in the `dataDocument` of a seller or of the carrier in the IMS: they are
 * under `key`, with the names of `Config`.
 */
export interface SettingsInIms {
  readonly key: string;
  /**
   * Whose document the vendor's app reads for a shipment with a seller; only where it reads the carrier's may the
   * seller's be skipped.
   */
  readonly keptBy: 'seller' | 'carrier';
  /**
   * Settings that log in. A seller's document that has one of them holds settings of its own: nothing of the carrier's
   * document is added to it.
   */
  readonly login: readonly string[];
  /**
   * Settings of which each belongs to the one before, and the first to the login: when a document has one of them, none
   * of the following ones is taken from the other document.
   */
  readonly within: readonly string[];
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

/** The contents of a carrier's fields, by which messages name a text that did not fit. */
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

/** An account that the carrier's simulator accepts, for the sandbox, the demo and tests; it is valid nowhere else. */
export interface CarrierSample {
  /** Its name among the accounts. */
  readonly account: string;
  /** Its `config`, in which `${NAME}` stands for one of the secrets. */
  config(simulatorUrl: string): Readonly<Record<string, unknown>>;
  /** By the names of environment variables. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Which of the secrets proves its callbacks; missing: the simulator makes none. */
  readonly callbackSecret?: string;
  /** The request that it books. */
  readonly request: BookingRequest;
}

/** What a rule asks of a carrier, as its requests have it. */
export type RuleProduct = Pick<BookingRequest, 'service' | 'options'>;

/** By language (`en`, `da`), then by code. */
export type OwnTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** `Settings`: a class-validator class with the key names of the account's `config`. */
export interface CarrierAdapter<Settings extends object = object> {
  /** Its folder in `carriers/`. */
  readonly id: string;
  /** The name for people. */
  readonly name: string;
  /** The address of its API where the account names no other. */
  readonly baseUrl: string;
  readonly traits: Traits;
  readonly Config: new () => Settings;
  readonly sample: CarrierSample;
  /** The fields that `textChanges` names, by the carrier's own names, with their contents. */
  readonly fields: Readonly<Record<string, { readonly means: FieldName }>>;
  /** What fields with words of its own hold. Missing: it has no such words. */
  readonly requestFields?: RequestFields;
  /**
   * Texts of the codes that only this carrier's `check` has, by language and code; `{name}` stands for a value of the
   * problem. English is needed where there are any; in a language that is missing, people read the problem's own text.
   */
  readonly texts?: OwnTexts;
  /** Missing: the IMS holds no settings of this carrier. */
  readonly settingsInIms?: SettingsInIms;
  /**
   * Settings that identify the customer at the carrier. No secrets, because a digest of them is stored with bookings: an
   * account that belongs to another customer by now does not look up, cancel or close out what was booked before.
   * Missing: nothing keeps such an account from it.
   */
  readonly customer?: readonly string[];
  /**
   * What the carrier would refuse of every shipment of a rule: an unknown service, a misspelt option. The service does not start
   * with such a rule, and says `text`. Pure; missing: rules are not looked at.
   */
  checkRule?(product: RuleProduct): readonly Problem[];
  /**
   * Checks and reads a callback of the carrier; pure. Missing: the carrier makes none, or none of its own form.
   * @param raw the unchanged body; signatures cover these bytes and are compared in constant time
   */
  parseCallback?(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome;
  connect(config: Settings, tools: GivenTools): CarrierAccount;
}

/**
 * A carrier's account as its adapter writes it. Its methods may throw any error: `defineCarrier` translates it into one
 * of the contract. `cancel` returns when the carrier has confirmed, and `probe` when it has answered.
 */
export interface CarrierConnection extends Omit<CarrierAccount, 'cancel' | 'probe'> {
  cancel?(booking: Booking): Promise<unknown>;
  probe?(): Promise<unknown>;
}

/** As `CarrierSample`. Missing: the account has the id of the carrier, and the request is `sampleRequest()`. */
export type DefinedSample = Omit<CarrierSample, 'account' | 'request'> &
  Partial<Pick<CarrierSample, 'account' | 'request'>>;

export interface CarrierDefinition<Settings extends object> extends Omit<
  CarrierAdapter<Settings>,
  'connect' | 'sample'
> {
  readonly sample: DefinedSample;
  /** The values in an account's settings that must appear in no text. */
  secrets(config: Settings): readonly string[];
  connect(config: Settings, tools: Tools): CarrierConnection;
}
