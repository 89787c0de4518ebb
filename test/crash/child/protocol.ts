/** What the tests and the service in a process of its own say to each other. */

/** Where to die: at this moment, when it comes for the so-many-th time. */
export interface Death {
  readonly moment: string;
  readonly pass: number;
  /** `SIGSTOP`: it is only held still there, until somebody sends SIGCONT. SIGKILL when not given. */
  readonly by?: 'SIGKILL' | 'SIGSTOP';
}

/** Written to the standard output by a process that is about to be held still. */
export const HELD_STILL = 'held still';

/** What protects the world and is taken away, to see that its loss is noticed. */
export type Sabotage =
  /** That a booking is about to leave is not written down. */
  | 'no-intent'
  /** Whoever wakes up works, and writes, whoever holds the row. */
  | 'no-lease'
  /** What is sent for work that is not held any more leaves all the same. */
  | 'no-permission'
  /** What is not found at a carrier at once was never booked. */
  | 'no-visibility-wait'
  /** Events are answered and never stored. */
  | 'no-event'
  /** Labels are kept with a byte changed. */
  | 'spoiled-label'
  /** Numbers of containers do not leave. */
  | 'no-tracking'
  /** Nobody is told anything. */
  | 'no-message'
  /** The last status of a document does not leave. */
  | 'no-end'
  /** Requests leave three times, whatever the limit says. */
  | 'no-limit'
  /** Numbers and label leave once more, after the end. */
  | 'end-first'
  /** Names go into the log. */
  | 'talkative-log';

export interface Orders {
  readonly death: Death | null;
  readonly sabotage: readonly Sabotage[];
  readonly clockAheadMs: number;
}

export type Question =
  | { readonly ask: 'rows' }
  | { readonly ask: 'moments' }
  | { readonly ask: 'clock'; readonly aheadMs: number }
  /** Its passes count from now on. */
  | { readonly ask: 'death'; readonly death: Death };

export type Report =
  | { readonly tell: 'listening'; readonly url: string }
  /** `null`: the database does not answer now. */
  | { readonly tell: 'rows'; readonly rows: Rows | null }
  | { readonly tell: 'moments'; readonly moments: readonly (readonly [string, number])[] }
  | { readonly tell: 'clock' }
  | { readonly tell: 'death' };

/** The database as the checks see it. Times are milliseconds since 1970. */
export interface Rows {
  readonly events: readonly { readonly id: string; readonly outcome: string }[];
  readonly consignments: readonly ConsignmentView[];
  readonly tasks: readonly {
    readonly id: string;
    readonly dueAt: number | null;
    readonly leaseUntil: number | null;
    readonly own: boolean;
  }[];
  readonly labels: readonly LabelView[];
  readonly nowMs: number;
}

export interface LabelView {
  readonly consignment: string;
  readonly n: number;
  readonly told: string;
  readonly real: string;
}

export interface ConsignmentView {
  readonly id: string;
  readonly documentId: string | null;
  readonly shipmentId: string | null;
  readonly eventId: string;
  readonly state: string;
  /** Each answer of a person begins one; 1: nobody has answered. */
  readonly run: number;
  /** The carrier's id. */
  readonly carrier: string | null;
  readonly needsOperator: boolean;
  readonly dueAt: number | null;
  readonly leaseUntil: number | null;
  /** Held by the process that answers. */
  readonly own: boolean;
  readonly parts: readonly PartView[];
  readonly effects: readonly { readonly key: string; readonly state: string }[];
}

export interface PartView {
  readonly n: number;
  readonly state: string;
  readonly reference: string;
  /** Ids of the containers it is about, in order. */
  readonly containers: readonly string[];
  /** Those that were found and name no container come last. */
  readonly trackingNumbers: readonly string[];
}
