import type { OutcomeUnknown } from '../../../carriers/contract/errors.js';
import type { Booking, BookingRequest, Problem } from '../../../carriers/contract/model.js';
import type { LabelFormat } from '../../../carriers/contract/traits.js';
import type { ChosenCarrier, Consignment, Effect, Plan, WaitingFor } from '../consignment.js';
import type { LabelTarget } from '../../labels/conversion/target.js';
import type { MessageDraft } from '../../messages/message.js';
import type { SiblingSnapshot } from '../ledger/sequence.js';

/** The result of a step. Only facts change a consignment. */
export type Fact =
  | {
      readonly kind: 'prepared';
      readonly plan: Plan;
      readonly reference: string;
      readonly shipmentId: string;
      readonly shipmentNumber: string;
      /** One request for each part to be booked now. */
      readonly requests: readonly { readonly n: number; readonly request: BookingRequest }[];
      readonly claimed: boolean;
      /** Parts that were booked for this shipment under an earlier event; none of them is booked again. */
      readonly takenOver: Consignment['parts'];
      /** The siblings that the plan was made beside; the plan is stored only while they are unchanged. */
      readonly snapshot: SiblingSnapshot;
    }
  | {
      readonly kind: 'skipped';
      readonly because: string;
      /** The shipment belongs to this area, which is not configured; missing: another reason. */
      readonly otherArea?: string;
      /** The references of its parts that a later booking has taken over; missing: none. */
      readonly handedOn?: readonly string[];
    }
  | {
      readonly kind: 'unusable';
      readonly messages: readonly MessageDraft[];
      readonly claimed: boolean;
      /** Missing: the shipment was not read. */
      readonly shipmentId?: string;
      readonly shipmentNumber: string | null;
      /** Missing: no carrier was chosen. */
      readonly chosen?: ChosenCarrier;
    }
  | Postponed
  | { readonly kind: 'sent'; readonly results: readonly SendResult[]; readonly taken?: readonly TakenNumber[] }
  | {
      readonly kind: 'looked-up';
      readonly n: number;
      readonly result: LookUpResult;
      readonly taken?: readonly TakenNumber[];
    }
  | {
      readonly kind: 'labels';
      readonly results: readonly LabelResult[];
      readonly file: LabelFile;
      /** Missing: the booking asks for no return labels. */
      readonly returns?: ReturnsFound;
    }
  | { readonly kind: 'cancelled'; readonly results: readonly CancelResult[] }
  | { readonly kind: 'nothing-to-cancel' }
  /** A bug, or a database error that no code handles. */
  | { readonly kind: 'broke' }
  | {
      readonly kind: 'written';
      readonly results: readonly EffectResult[];
      readonly retryAfterMs: number | null;
      /** The IMS took none of these writes, but answers other requests. */
      readonly imsAnswers?: true;
      /** The day's requests are used up: some writes wait until this time. */
      readonly newDayAt?: Date;
    };

export interface Postponed {
  readonly kind: 'postponed';
  readonly waitingFor: WaitingFor;
  readonly because: string;
  readonly retryAfterMs: number | null;
  /** Nothing was sent, because the carrier does not answer at the moment. */
  readonly parked?: true;
  /** The day's requests are used up: the start of the new day. */
  readonly newDayAt?: Date;
  /** Only an operator can end the cause. */
  readonly needsOperator?: true;
  /** The other side answers, but without the needed data: the wait ends after the time that a worker waits. */
  readonly waitingIsUseless?: true;
  /** Whether we set the document to ON_GOING, as far as is known now. */
  readonly claimed: boolean;
}

/** A tracking number that another parcel in transit has. */
export interface TakenNumber {
  readonly trackingNumber: string;
  /** The container of the parcel that has the number, and its shipment. */
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
      /** `account`: nothing was sent, because the account is gone. */
      readonly because: 'data' | 'duplicate' | 'credentials' | 'account';
    }
  | { readonly kind: 'unavailable'; readonly because: string; readonly retryAfterMs: number | null }
  /** `work`: whether the carrier has ended its work on the request; missing: it may not have. */
  | { readonly kind: 'unknown'; readonly because: string; readonly work?: OutcomeUnknown['work'] }
);

export type LookUpResult =
  | {
      readonly kind: 'found';
      readonly booking: Booking;
      readonly unmatched: readonly string[];
      /** Its labels came with the search, and are stored with this fact. */
      readonly labels?: 'stored';
    }
  /**
   * The carrier did not find it at `askedAt`. `quietFrom`: the time from which the carrier certainly does not work on
   * the request; `conclusiveAt`: the time from which "not there" means "never booked".
   */
  | { readonly kind: 'absent'; readonly askedAt: Date; readonly quietFrom: Date; readonly conclusiveAt: Date }
  /** The carrier has no lookup, and repeating the frozen request does no harm. */
  | { readonly kind: 'send-again' }
  /** `problem`: why the carrier was not asked; missing: it has no lookup. */
  | { readonly kind: 'person'; readonly problem?: Problem };

export type LabelResult = { readonly n: number } & (
  | { readonly kind: 'stored' }
  | { readonly kind: 'not-to-be-had'; readonly problems: readonly Problem[] }
  | {
      readonly kind: 'unavailable';
      readonly because: string;
      readonly retryAfterMs: number | null;
      /** Nothing was sent, because the carrier does not answer at the moment. */
      readonly parked?: true;
    }
);

/** The one file that is attached. */
export type LabelFile =
  | {
      readonly kind: 'stored';
      readonly pages: number;
      /** Missing: `pdf`. */
      readonly format?: LabelFormat;
      /** Places of labels that do not fit the printer's paper and were not changed; missing: none. */
      readonly leftAsTheyCame?: readonly number[];
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly because: string };

/** What came of the return labels of a booking. */
export interface ReturnsFound {
  /** `stored`: a document of their own is to be attached; `none`: they are pages of the label file, or there are none. */
  readonly document: 'stored' | 'none';
  /** Told at the end. */
  readonly warnings: readonly MessageDraft[];
}

export type CancelResult = { readonly n: number } & (
  | { readonly kind: 'cancelled' }
  /** `unsent`: the carrier was not asked, because the account is gone. */
  | { readonly kind: 'refused'; readonly problems: readonly Problem[]; readonly unsent?: true }
  | { readonly kind: 'not-possible' }
  /**
   * A later booking of the shipment has taken it over. `cancellation`: that of the later booking; `open`: it was asked for, and is
   * not answered before a person acts.
   */
  | { readonly kind: 'handed-on'; readonly cancellation: 'none' | 'open' | 'failed' }
  /** A later booking of the shipment has taken it over, and is being cancelled: it waits for that answer. */
  | { readonly kind: 'waits'; readonly retryAfterMs: number }
  | {
      readonly kind: 'unavailable';
      readonly because: string;
      readonly retryAfterMs: number | null;
      /** Nothing was sent, because the carrier does not answer at the moment. */
      readonly parked?: true;
      /** It was sent, or about to be, and certainly cancelled nothing, as `CarrierUnavailable` says of a booking. */
      readonly nothingDone?: true;
    }
);

export interface EffectResult {
  readonly key: string;
  readonly state: Effect['state'];
  readonly note: string | null;
}

/** What the printer wants, by the profile; `null`: the usual label, and the installation's own template. */
export interface ErrorSheets {
  readonly target: LabelTarget | null;
  readonly template: string | null;
}

/** The inputs of a transition besides the consignment and the fact. */
export interface TransitionContext {
  readonly now: Date;
  /** Between 0 and 1. */
  readonly random: number;
  /** `Infinity`: its area is not configured, so no worker can be told that it is given up. */
  readonly giveUpAfterMs: number;
  readonly printing: 'resource' | 'document' | 'none';
  /** The form of the carrier's tracking numbers; `null`: nothing documents it. */
  readonly numberPattern: RegExp | null;
  /** How long the carrier may still work on a booking whose answer was lost. */
  readonly bookingEndsWithinMs: number;
  /** The carrier can cancel. */
  readonly canCancel: boolean;
  /** How a failure is printed; missing: it is only told. */
  readonly errorSheets?: ErrorSheets;
  /** A signed address of the label file. */
  readonly labelLink: () => string;
}
