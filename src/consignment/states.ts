import type { MessageKey } from '../messages/keys.js';

interface StateTraits {
  /** No step follows by itself; all ends but `closed` and `cancelled` can begin a new run. */
  readonly isEnd: boolean;
  /**
   * `under-way`: not decided; `booked`: parcels are booked; `nothing-booked`: ended without a parcel that is known to be
   * booked.
   */
  readonly booking: 'under-way' | 'booked' | 'nothing-booked';
  /** Its shipment was read in this run; before that, only what it has booked in earlier runs counts. */
  readonly isPrepared: boolean;
  /** `by-event`: an operator's retry or another event of the document begins a new run; `by-operator`: only a retry. */
  readonly newRun: 'by-event' | 'by-operator' | 'never';
  /**
   * What a consignment in this state waits for, unless the last step has stored something else (`waitingFor`). The sweeper tells
   * it to a worker who waits too long. `outcome`: whether the carrier has booked a request; `null`: the worker is told nothing.
   */
  readonly awaits: 'ims' | 'limit' | 'carrier' | 'outcome' | 'label' | null;
  /** The status of its document in the IMS, once nothing follows by itself; `null`: another program works on the document. */
  readonly documentStatus: 'DONE' | 'FAILED' | null;
  /** Its shipment is missed on a manifest; false for bookings that were left out on purpose. */
  readonly isExpectedOnManifest: boolean;
  /** Its parcels are registered for tracking, cancelled ones as ended. */
  readonly isTracked: boolean;
  /** Another booking may take its parcel numbers. */
  readonly freesNumbers: boolean;
  /** What it had booked was cancelled: its parcels have ended, and its labels must not be used. */
  readonly isVoid: boolean;
  /** Its parcels cannot leave before a person has corrected something. */
  readonly needsCorrection: boolean;
}

const underWay = {
  isEnd: false,
  booking: 'under-way',
  isPrepared: true,
  newRun: 'never',
  awaits: null,
  documentStatus: 'FAILED',
  isExpectedOnManifest: true,
  isTracked: false,
  freesNumbers: false,
  isVoid: false,
  needsCorrection: false,
} as const satisfies StateTraits;

const end = { ...underWay, isEnd: true } as const;

/** Every state with what the rest of the program may do with it. The first six follow each other. */
export const STATE_TRAITS = {
  /** The event is stored; no request was sent. */
  received: { ...underWay, isPrepared: false, awaits: 'ims' },
  /** Carrier chosen, requests frozen, nothing sent. */
  planned: { ...underWay, awaits: 'limit' },
  /** At least one request left or is about to. */
  booking: { ...underWay, awaits: 'carrier' },
  /** A request was sent, and its outcome is unknown. */
  'in-doubt': { ...underWay, awaits: 'outcome' },
  /** The carrier has everything. */
  booked: { ...underWay, booking: 'booked', awaits: 'label' },
  /** Labels are here, or will not come; being written to the IMS. */
  labelled: { ...underWay, booking: 'booked', awaits: 'ims' },
  /** Being cancelled at the carrier. */
  cancelling: underWay,
  closed: { ...end, booking: 'booked', documentStatus: 'DONE', isTracked: true },
  /** Nothing is booked; the worker was told why. */
  refused: { ...end, booking: 'nothing-booked', newRun: 'by-event', freesNumbers: true, needsCorrection: true },
  /** Something is booked, something is missing; the worker was told. */
  incomplete: { ...end, booking: 'booked', newRun: 'by-event', isTracked: true, needsCorrection: true },
  cancelled: {
    ...end,
    booking: 'nothing-booked',
    isExpectedOnManifest: false,
    isTracked: true,
    freesNumbers: true,
    isVoid: true,
  },
  /**
   * The document was cancelled, done, or claimed by another program. No event reopens it: another program may
   * be booking the document.
   */
  skipped: {
    ...end,
    booking: 'nothing-booked',
    newRun: 'by-operator',
    documentStatus: null,
    isExpectedOnManifest: false,
  },
} as const satisfies Record<string, StateTraits>;

/**
 * What may be done with a state. One that another version has stored counts as under way: it is left to the instances of
 * that version, and other bookings of the shipment wait for it.
 */
export function traitsOf(state: ConsignmentState): StateTraits {
  return isKnownState(state) ? STATE_TRAITS[state] : underWay;
}

/** Whether this version knows it: rows also hold what other versions have stored. */
export function isKnownState(state: string): boolean {
  return Object.hasOwn(STATE_TRAITS, state);
}

/** The message to a worker that says what is awaited. */
export const AWAITED_MESSAGES = {
  ims: 'waiting-ims',
  limit: 'waiting-limit',
  carrier: 'waiting-carrier',
  outcome: 'waiting-in-doubt',
  label: 'waiting-label',
} as const satisfies Record<NonNullable<StateTraits['awaits']>, MessageKey>;

export type ConsignmentState = keyof typeof STATE_TRAITS;

export type EndState = {
  [State in ConsignmentState]: (typeof STATE_TRAITS)[State]['isEnd'] extends true ? State : never;
}[ConsignmentState];

export const CONSIGNMENT_STATES = Object.keys(STATE_TRAITS) as readonly ConsignmentState[];

export const END_STATES = statesThat((traits) => traits.isEnd);

export function isEndState(state: ConsignmentState): state is EndState {
  return END_STATES.includes(state);
}

/** `skipped` has the name that rows have had since the first version: older instances and indexes read it. */
const STORED_SKIPPED = 'set-aside';

export type Stored<State> = Exclude<State, 'skipped'> | typeof STORED_SKIPPED;

export function toStoredState(state: EndState): Stored<EndState>;
export function toStoredState(state: ConsignmentState): Stored<ConsignmentState>;
export function toStoredState(state: ConsignmentState): Stored<ConsignmentState> {
  return state === 'skipped' ? STORED_SKIPPED : state;
}

export function fromStoredState(state: Stored<EndState>): EndState;
export function fromStoredState(state: Stored<ConsignmentState>): ConsignmentState;
export function fromStoredState(state: Stored<ConsignmentState>): ConsignmentState {
  return state === STORED_SKIPPED ? 'skipped' : state;
}

/** Nothing is booked; a person has to correct the shipment, and the document is created again. */
export function isRefused({ booking, needsCorrection }: StateTraits): boolean {
  return booking === 'nothing-booked' && needsCorrection;
}

/** Parcels are booked, and a person has to see to what is missing. */
export function isIncomplete({ booking, needsCorrection }: StateTraits): boolean {
  return booking === 'booked' && needsCorrection;
}

/** The states with these traits, in the order of the table. */
export function statesThat(match: (traits: StateTraits) => boolean): readonly ConsignmentState[] {
  return CONSIGNMENT_STATES.filter((state) => match(STATE_TRAITS[state]));
}

/**
 * The states with these traits as SQL, `('closed', 'incomplete')`. Constant text and no parameter, because a partial
 * index is used only for a condition whose values are known when the statement is planned.
 */
export function sqlStatesThat(match: (traits: StateTraits) => boolean): string {
  return `(${statesThat(match)
    .map((state) => `'${toStoredState(state)}'`)
    .join(', ')})`;
}
