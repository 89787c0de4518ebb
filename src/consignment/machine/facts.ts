import type { OutcomeUnknown } from '../../../carriers/contract/errors.js';
import type { Booking, BookingRequest, Problem } from '../../../carriers/contract/model.js';
import type { Consignment, Effect, Plan, WaitingFor } from '../consignment.js';
import type { MessageDraft } from '../../messages/message.js';
import type { SiblingSnapshot } from '../ledger/sequence.js';

/** What a step found out. Facts are the only thing that moves a consignment. */
export type Fact =
  | {
      readonly kind: 'prepared';
      readonly plan: Plan;
      readonly reference: string;
      readonly shipmentId: string;
      readonly shipmentNumber: string;
      /** One a part that is to be booked now, with the part's number. */
      readonly requests: readonly { readonly n: number; readonly request: BookingRequest }[];
      readonly claimed: boolean;
      /** Booked for this shipment under an older kind of event; nothing of it is booked again. */
      readonly takenOver: Consignment['parts'];
      /** What this was decided on: stored only while it still holds. */
      readonly seen: SiblingSnapshot;
    }
  | { readonly kind: 'set-aside'; readonly because: string }
  | {
      readonly kind: 'unusable';
      readonly messages: readonly MessageDraft[];
      readonly claimed: boolean;
      readonly shipmentNumber: string | null;
    }
  | Postponed
  | { readonly kind: 'sent'; readonly results: readonly SendResult[]; readonly taken?: readonly TakenNumber[] }
  | {
      readonly kind: 'looked-up';
      readonly n: number;
      readonly result: LookUpResult;
      readonly taken?: readonly TakenNumber[];
    }
  | { readonly kind: 'labels'; readonly results: readonly LabelResult[]; readonly file: LabelFile }
  | { readonly kind: 'cancelled'; readonly results: readonly CancelResult[] }
  | { readonly kind: 'nothing-to-cancel' }
  /** Our own mistake, or a database that does not do as it should: not foreseen anywhere. */
  | { readonly kind: 'broke' }
  | {
      readonly kind: 'written';
      readonly results: readonly EffectResult[];
      readonly retryAfterMs: number | null;
      /** It took nothing of this, and answers when it is asked for something else. */
      readonly imsAnswers?: true;
      /** The day's requests are used up, and something of this waits for the new one, which begins then. */
      readonly newDayAt?: Date;
    };

export interface Postponed {
  readonly kind: 'postponed';
  readonly waitingFor: WaitingFor;
  readonly because: string;
  readonly retryAfterMs: number | null;
  /** Nothing was tried: the carrier does not answer at the moment. */
  readonly held?: true;
  /** The day's requests are used up: when the new day begins. */
  readonly newDayAt?: Date;
  /** It will not pass by itself. */
  readonly needsOperator?: true;
  /** The other side does answer, but nothing that helps: not waited for longer than a worker waits. */
  readonly hopeless?: true;
  /** Whether the document is ON_GOING by our hand, as far as is known now. */
  readonly claimed: boolean;
}

/** A tracking number that another parcel on its way has. */
export interface TakenNumber {
  readonly trackingNumber: string;
  /** That parcel's, and the number of its shipment. */
  readonly containerId: string;
  readonly shipmentNumber: string;
}

export type SendResult = { readonly n: number } & (
  | {
      readonly kind: 'booked';
      readonly booking: Booking;
      readonly labels: 'missing' | 'stored';
      /** The reference that the answer names; missing: none. */
      readonly answersReference?: string;
    }
  | {
      readonly kind: 'rejected';
      readonly problems: readonly Problem[];
      readonly because: 'data' | 'duplicate' | 'credentials';
    }
  | { readonly kind: 'unavailable'; readonly because: string; readonly retryAfterMs: number | null }
  /** `work`: whether the carrier has ended its work on the request; when not said it may not have. */
  | { readonly kind: 'unknown'; readonly because: string; readonly work?: OutcomeUnknown['work'] }
);

export type LookUpResult =
  | { readonly kind: 'found'; readonly booking: Booking; readonly unmatched: readonly string[] }
  /**
   * It was not there when the carrier was asked, however long the answer took. `quietFrom`: from when on the carrier is
   * certainly not at work on the request; `conclusiveAt`: from when on "not there" means "was never booked".
   */
  | { readonly kind: 'absent'; readonly askedAt: Date; readonly quietFrom: Date; readonly conclusiveAt: Date }
  /** The carrier cannot be asked, and sending the frozen request again does no harm. */
  | { readonly kind: 'send-again' }
  | { readonly kind: 'person' };

export type LabelResult = { readonly n: number } & (
  | { readonly kind: 'stored' }
  | { readonly kind: 'not-to-be-had'; readonly problems: readonly Problem[] }
  | {
      readonly kind: 'unavailable';
      readonly because: string;
      readonly retryAfterMs: number | null;
      /** Nothing was tried: the carrier does not answer at the moment. */
      readonly held?: true;
    }
);

/** The one file that is attached. */
export type LabelFile =
  | { readonly kind: 'stored'; readonly pages: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly because: string };

export type CancelResult = { readonly n: number } & (
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  | { readonly kind: 'not-possible' }
  | {
      readonly kind: 'unavailable';
      readonly because: string;
      readonly retryAfterMs: number | null;
      /** Nothing was tried: the carrier does not answer at the moment. */
      readonly held?: true;
    }
);

export interface EffectResult {
  readonly key: string;
  readonly state: Effect['state'];
  readonly note: string | null;
}

/** What a transition may look at besides the consignment and the fact. */
export interface TransitionContext {
  readonly now: Date;
  /** Between 0 and 1. */
  readonly random: number;
  readonly giveUpAfterMs: number;
  readonly printing: 'resource' | 'document' | 'none';
  /** The form of the carrier's tracking numbers; `null`: nothing documents it. */
  readonly numberPattern: RegExp | null;
  /** How long the carrier may be at work on a booking of which no answer came. */
  readonly bookingEndsWithinMs: number;
  /** The carrier can cancel. */
  readonly canCancel: boolean;
  /** A signed address of the label file. */
  readonly labelLink: string;
}
