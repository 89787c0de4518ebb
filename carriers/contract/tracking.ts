/** What carriers tell of a parcel after it was booked, in words that the core and every carrier share. */

/** All there is; each adapter maps its carrier's codes to these in one literal table. */
export const TRACKING_STATUSES = [
  /** The carrier knows of it and has not got it. */
  'registered',
  'handed-over',
  'in-transit',
  /** Held by customs, or waiting for papers. */
  'customs',
  'out-for-delivery',
  'at-pickup-point',
  'delivered',
  /** An attempt failed; the carrier still has it. */
  'delivery-failed',
  /** Back at the sender, or on its way there for good. */
  'returned',
  'lost-or-damaged',
  'cancelled',
  /** A code that the table does not have: kept as it came, and counted. */
  'unrecognised',
] as const;

export type TrackingStatus = (typeof TRACKING_STATUSES)[number];

export interface TrackingEvent {
  /** The parcel's, as it was booked. */
  readonly trackingNumber: string;
  readonly status: TrackingStatus;
  /** The carrier's own. */
  readonly code: string | null;
  /** As the carrier says it. */
  readonly text: string | null;
  readonly place: string | null;
  /** When it happened: ISO 8601 with an offset, e.g. `2026-03-04T20:03:19+01:00`. */
  readonly at: string;
  /** `assumed`: the carrier gives a local time without an offset, and the adapter has added its country's. */
  readonly zone: 'stated' | 'assumed';
  /** A day `YYYY-MM-DD`, or a moment in ISO 8601. */
  readonly estimatedDelivery: string | null;
  /** The carrier's own id of the event, the same whenever it is told again; `null` where there is none. */
  readonly id: string | null;
  /** Where people follow the parcel; missing or `null` when the carrier does not say. */
  readonly trackingUrl?: string | null;
}

/** What changed in an account since its last answer. */
export interface TrackingChanges {
  /** May have come before, and may be of parcels that others booked in the account. */
  readonly events: readonly TrackingEvent[];
  /** Where the next answer begins. */
  readonly cursor: string;
  /** How long the carrier is left alone now; 0: more is waiting. */
  readonly waitMs: number;
}

/** What proves that a callback is the carrier's. */
export interface CallbackSecrets {
  readonly current: string;
  /** The secret before, which counts until the carrier has been told the current one. */
  readonly previous?: string;
}

/** What came with a callback's body. */
export interface CallbackDelivery {
  /** Lower-case names; several of one name joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: CallbackSecrets;
  readonly now: Date;
}

/** The result of reading a callback. */
export type CallbackOutcome =
  | {
      readonly kind: 'events';
      readonly events: readonly TrackingEvent[];
      /** Tracking numbers to poll at once: the callback says that something happened, but not what. */
      readonly poll?: readonly string[];
      /** @deprecated the former name of `poll`, which an adapter outside this repository may still return */
      readonly ask?: readonly string[];
      /** How many more events of the call cannot be read: they are logged, and lost. */
      readonly unread?: number;
    }
  /** Not authentic, or signed too long ago: nothing of it is kept. */
  | { readonly kind: 'refused'; readonly because: string }
  /** Authentic, and nothing for us: a test call, another kind of event, or what cannot be read. */
  | { readonly kind: 'ignored'; readonly because: string };

/** An account whose carrier calls us. */
export interface CallbackAccount {
  readonly secrets: CallbackSecrets;
  /** The carrier's form, or the plain one. */
  parse(raw: Uint8Array, delivery: CallbackDelivery): CallbackOutcome;
}
