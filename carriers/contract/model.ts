import type { LabelForm, LabelFormat } from './traits.js';

/**
 * The words that the core and every carrier share. Weights are whole grams, lengths whole millimetres, volumes whole
 * millilitres, days `YYYY-MM-DD`, countries ISO 3166-1 alpha-2. `null` means "known to be none".
 */

export interface Address {
  readonly name: string | null;
  readonly careOf: string | null;
  /** Street name and house number. */
  readonly street: string | null;
  readonly floorBlockOrSuite: string | null;
  readonly district: string | null;
  readonly city: string | null;
  readonly stateOrProvince: string | null;
  readonly postalCode: string | null;
  readonly countryCode: string | null;
}

export interface Contact {
  readonly name: string | null;
  readonly email: string | null;
  /** Ordinary telephone. */
  readonly phone: string | null;
  /** Telephone that takes text messages. */
  readonly mobile: string | null;
}

export interface Party {
  readonly address: Address;
  readonly contact: Contact;
}

/** Numbers under which the exporter is registered for customs; missing: it has none that is known here. */
export interface CustomsNumbers {
  readonly eori?: string;
  readonly vat?: string;
  /** Norway's scheme for goods of low value to consumers. */
  readonly voec?: string;
  /** The EU's scheme for goods of low value to consumers. */
  readonly ioss?: string;
}

/** A shipping container as a carrier sees it. */
export interface Parcel {
  /** The container's id in the IMS: parcels are matched by it, never by position. */
  readonly id: string;
  /** What may be printed for people, e.g. `10045 #2`. */
  readonly label: string;
  readonly weightGrams: number;
  readonly lengthMm: number | null;
  readonly widthMm: number | null;
  readonly heightMm: number | null;
  readonly volumeMl: number | null;
  readonly description: string | null;
  /** A EUR pallet, half of one or a quarter; missing: it is none, or in a request that was frozen before it was known. */
  readonly pallet?: 'full' | 'half' | 'quarter';
}

/** A line of the shipment, as customs and the rules for dangerous goods look at it. */
export interface Goods {
  readonly description: string | null;
  /** Pieces. */
  readonly quantity: number;
  /** Of a piece, as decimal text, e.g. `129.5`. */
  readonly unitValue: string | null;
  /** ISO 4217; of all goods of a shipment the same, since the IMS has one for the shipment. */
  readonly currency: string | null;
  /** Of a piece. */
  readonly unitWeightGrams: number | null;
  /** In the country of delivery, or the harmonised code that is the same everywhere. */
  readonly tariffNumberAtDestination: string | null;
  readonly tariffNumberAtOrigin: string | null;
  readonly countryOfOrigin: string | null;
  /** UN numbers of dangerous goods among them, e.g. `UN1950`; empty also when the IMS does not say. */
  readonly unNumbers: readonly string[];
}

/** One booking at one carrier. Frozen when it is planned: every attempt sends exactly this. */
export interface BookingRequest {
  /** Ours, unique at the carrier account, the same on every attempt, at most `traits.maxReferenceLength` long. */
  readonly reference: string;
  readonly shipmentNumber: string;
  /** The carrier's own code; `null`: the adapter takes what the flags below ask for. */
  readonly service: string | null;
  /** From the rule that chose the carrier; each adapter documents the keys it knows. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly sender: Party;
  readonly recipient: Party;
  /**
   * Where parcels that cannot be delivered go, by the account's settings; only where `traits.takesReturnAddress` says that
   * the carrier has a field for it. Missing: to the sender.
   */
  readonly returnTo?: Party | undefined;
  /** The customs numbers in the account's settings; missing: it has none. */
  readonly customsNumbers?: CustomsNumbers;
  /** Decides where parcels go, unless a rule names the service, or the account goes by the id alone (`gls-dk`). */
  readonly deliverToPickUpPoint: boolean;
  /** The carrier's own id of the pick-up point. */
  readonly pickUpPointId: string | null;
  /** `null`: it is not known whether the recipient is a private person. */
  readonly privateDelivery: boolean | null;
  readonly unattendedDelivery: boolean;
  readonly notesOnDelivery: string | null;
  readonly customersReference: string | null;
  readonly sendersReference: string | null;
  readonly incoterms: string | null;
  /** The day on which the parcels leave, in the sender's time zone: `YYYY-MM-DD`. */
  readonly shipDate: string;
  /** At least one; at most `traits.maxParcels`; in the order of the containers in the IMS. */
  readonly parcels: readonly Parcel[];
  /** The carrier's number of the booking whose parcel comes back, in a return. Missing: it has none. */
  readonly returnOf?: string;
  /** All parcels of the shipment, also where it is booked in parts. Missing in requests that were frozen before it was counted. */
  readonly parcelsInShipment?: number;
  /**
   * The goods of the whole shipment, also where it is booked in parts. Missing in requests frozen before there were
   * any.
   */
  readonly goods?: readonly Goods[];
  /**
   * The form in the account's `traits.labels` that suits the printer best. An adapter asks the carrier for it where the
   * API has a choice. Missing: the adapter asks for its own usual form.
   */
  readonly labelForm?: LabelForm;
}

/** What a carrier asks for a booking. */
export interface Quote {
  /** Without VAT, as decimal text, e.g. `49.00`. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly workingDays: number | null;
  /** `YYYY-MM-DD`. */
  readonly estimatedDelivery: string | null;
}

/** A text that a carrier gets otherwise than we have it. */
export interface TextChange {
  /** Whose text, and the carrier's own name of the field, e.g. `recipient.addressLine2`. */
  readonly field: string;
  /** White space made single. */
  readonly given: string;
  /** `''` when it is not sent at all. */
  readonly sent: string;
  /** The worst that happened: a text that was cut may have been transliterated too. */
  readonly kind: 'cut' | 'transliterated' | 'dropped';
  /** Whether a person reading what was sent misses something: letters without a substitute, digits, words, a part. */
  readonly meaningLost: boolean;
}

/** A printable label. */
export interface Label {
  readonly format: LabelFormat;
  readonly bytes: Uint8Array;
}

/** Something that keeps a booking from being made, in words for the warehouse worker. */
export interface Problem {
  /** The carrier's own code, or ours from a preflight check; `null` where there is none. */
  readonly code: string | null;
  /** As the carrier says it, or in our own English. */
  readonly text: string;
  /** The parcel it is about; `null`: the whole booking. */
  readonly parcelId: string | null;
  /** What stands in `text`, for the same in another language; missing where that says nothing of the shipment. */
  readonly values?: Readonly<Record<string, string>>;
  /**
   * `refuses`, also when it is missing: the booking is not made. `warns`: it is made, and a person is told. Only a
   * preflight check warns.
   */
  readonly severity?: 'refuses' | 'warns';
  /** The carrier's id of this one error, which its support asks for. */
  readonly errorId?: string;
}

/** Every parcel of the request comes back as one of these. */
export type ParcelOutcome =
  | {
      readonly kind: 'booked';
      readonly parcelId: string;
      readonly trackingNumber: string;
      readonly trackingUrl: string | null;
    }
  | { readonly kind: 'refused'; readonly parcelId: string; readonly problems: readonly Problem[] };

/** What the carrier confirmed. Plain data: it is stored and handed back to `fetchLabels` and `cancel`. */
export interface Booking {
  /** The carrier's number for the whole of it; `null` when it has none. */
  readonly carrierNumber: string | null;
  readonly parcels: readonly ParcelOutcome[];
  /** Where `fetchLabels` finds the labels, in the adapter's own words; `null` when it needs nothing more. */
  readonly labelSource: string | null;
  /**
   * The route of the parcels, for their driver: the manifest is sorted by it and shows it in place of the carrier's
   * number. Missing: the manifest lists bookings in the order in which they were made.
   */
  readonly route?: string;
}

/** `labels` is empty when they are fetched separately. */
export interface BookingWithLabels {
  readonly booking: Booking;
  readonly labels: readonly Label[];
  /**
   * Our reference as it stands in the answer; missing where the carrier does not send it back. With another one than the
   * request's, none of the numbers is believed.
   */
  readonly answersReference?: string | null;
}

/** What a search by our reference gave. */
export interface FoundBooking {
  readonly carrierNumber: string | null;
  /**
   * `parcelId` is `null` where the carrier does not say which parcel a number belongs to. Empty: the carrier shows none of
   * them yet, and is asked again.
   */
  readonly parcels: readonly {
    readonly parcelId: string | null;
    readonly trackingNumber: string;
    readonly trackingUrl: string | null;
  }[];
  readonly labelSource: string | null;
  /**
   * The labels of all its parcels, where the carrier sends them with the search. They are used where each one names its
   * parcel.
   */
  readonly labels?: readonly Label[];
}

/** What telling the carrier that its parcels have left came to. */
export interface CloseOut {
  /** The carrier's number of it, a manifest's for example; `null` when it has none. */
  readonly number: string | null;
}

/** What a cancellation came to. */
export type Cancellation =
  | { readonly kind: 'cancelled' }
  /** The carrier understood and said no: too late, unknown, not possible. */
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

/** Which pick-up points are asked for; `countryCode` is ISO 3166-1 alpha-2. */
export type PickupPointQuery =
  | {
      readonly near: {
        readonly countryCode: string;
        readonly postalCode: string;
        /** Street and house number; `null`: anywhere in the postal code. */
        readonly street: string | null;
      };
      /** At least one; more are not returned. */
      readonly limit: number;
    }
  | { readonly id: string; readonly countryCode: string };

/** A shop or a locker where recipients fetch parcels. `null`: the carrier does not say. */
export interface PickupPoint {
  /** A booking takes it as `pickUpPointId`. */
  readonly id: string;
  readonly name: string;
  readonly street: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly countryCode: string;
  /** From the address that was asked for, in metres. */
  readonly distanceM: number | null;
  readonly kind: 'manned' | 'locker' | null;
  /** As the carrier writes them. */
  readonly openingHours: string | null;
}
