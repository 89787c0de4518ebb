import type { MessageKey } from '../messages/keys.js';
import { type Consignment, isOfRun, partsIn } from '../consignment/consignment.js';
import { type EndState, isEndState, traitsOf } from '../consignment/states.js';
import type { MessageDraft } from '../messages/message.js';
import { doubts } from '../consignment/machine/doubts.js';
import type { OperatorTexts } from './reason.js';

/** A row of the journal. */
export interface HistoryRow {
  readonly at: Date;
  readonly what: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export type ActionName = 'retry' | 'cancel' | 'reprint' | 'resolve';

/** The journal entry of an action. */
export interface ActionEntry {
  readonly action: ActionName;
  /** The operator's name. */
  readonly by: string;
  /** The run that the action began or belongs to. */
  readonly run: number;
  /** The result of a reprint, which ends at once; other actions are judged by the consignment's state. */
  readonly result?: 'done' | 'refused' | 'unknown';
  readonly text?: string;
  /** Why the operator did it, where that was said. */
  readonly reason?: string;
}

/** The entry of an action that the current run of the consignment answers. */
export function actionEntry(action: ActionName, by: string, { run }: Consignment): ActionEntry {
  return { action, by, run };
}

/** An operator's last action and its result. */
export interface LastAction {
  readonly action: ActionName;
  readonly at: Date;
  /** The operator's name. */
  readonly by: string;
  /**
   * `pending`: in work; `needs-operator`: needs `resolve`; `partly`: for some of several parcels; `unknown`: no
   * answer came; `superseded`: an event has begun a new run since.
   */
  readonly result: 'pending' | 'done' | 'partly' | 'refused' | 'unknown' | 'needs-operator' | 'superseded';
  readonly text: string;
  /** In the operator's words; missing: not said. */
  readonly reason?: string;
}

type Outcome = Pick<LastAction, 'result' | 'text'>;

/** Computed from the consignment's state; pure. @param texts as an operator reads them */
export function lastAction(
  consignment: Consignment,
  history: readonly HistoryRow[],
  texts: OperatorTexts,
): LastAction | null {
  const row = history.findLast(({ fields }) => fields['action'] !== undefined);
  if (row === undefined) return null;
  const entry = row.fields as unknown as ActionEntry;
  const { action, by, reason } = entry;
  return { action, at: row.at, by, ...outcomeOf(consignment, entry, texts), ...(reason !== undefined && { reason }) };
}

function outcomeOf(consignment: Consignment, entry: ActionEntry, texts: OperatorTexts): Outcome {
  if (entry.result !== undefined) return { result: entry.result, text: entry.text ?? '' };
  if (entry.run !== consignment.run)
    return { result: 'superseded', text: 'The booking was asked for again since then: its state says how it stands.' };
  return entry.action === 'cancel' ? ofCancel(consignment, texts) : ofRun(consignment, texts);
}

/** The result for each answer to a cancellation. */
const CANCEL_ANSWERS: Partial<Record<MessageKey, LastAction['result']>> = {
  cancelled: 'done',
  'cancel-partly': 'partly',
  'cancel-partly-unknown': 'partly',
  'cancel-partly-account-gone': 'partly',
  'cancel-refused': 'refused',
  'cancel-account-gone': 'refused',
  'cancel-not-possible': 'refused',
  'cancel-handed-on': 'refused',
  'cancel-handed-on-open': 'unknown',
  'cancel-handed-on-refused': 'refused',
  'cancel-uncertain': 'unknown',
  'cancel-unanswered': 'unknown',
  'cancel-internal-error': 'unknown',
  'ended-by-hand': 'unknown',
};

function ofCancel(consignment: Consignment, { text }: OperatorTexts): Outcome {
  if (consignment.cancelRequest !== null) return { result: 'pending', text: cancelPending(consignment) };
  const answer = messagesOf(consignment).findLast(({ key }) => CANCEL_ANSWERS[key] !== undefined);
  if (answer) return { result: CANCEL_ANSWERS[answer.key] ?? 'unknown', text: text(answer, consignment) };
  const { state, outcome } = consignment;
  if (traitsOf(outcome ?? state).isVoid || traitsOf(state).isVoid)
    return { result: 'done', text: 'Nothing was booked yet: the booking has ended.' };
  return partsIn(consignment, 'booked').length > 0
    ? { result: 'unknown', text: 'It is still booked: ask for its cancellation again.' }
    : { result: 'done', text: 'Nothing was at the carrier that could be cancelled.' };
}

function cancelPending(consignment: Consignment): string {
  if (consignment.needsOperator)
    return 'It is cancelled when it is known whether it is booked: look at the carrier and use "resolve".';
  if (doubts(consignment).length > 0) return 'It is cancelled when it is known whether it is booked.';
  return 'It is being cancelled.';
}

/** The result of a retry or resolve, by how it ended; without a text, the messages to the worker say it. */
const RUN_ENDS: Readonly<Record<EndState, Pick<LastAction, 'result'> & { readonly text?: string }>> = {
  closed: { result: 'done', text: 'All parcels are booked.' },
  cancelled: { result: 'done', text: 'It has been cancelled since then.' },
  skipped: {
    result: 'refused',
    text: 'The document is cancelled, done or taken by another program or person, or the shipment is of another area: nothing is booked.',
  },
  refused: { result: 'refused' },
  incomplete: { result: 'partly' },
};

function ofRun(consignment: Consignment, { text }: OperatorTexts): Outcome {
  const { state, needsOperator } = consignment;
  const told = messagesOf(consignment)
    .map((message) => text(message, consignment))
    .join(' ');
  if (needsOperator) return { result: 'needs-operator', text: told || 'It waits for an answer by "resolve".' };
  if (!isEndState(state)) return { result: 'pending', text: 'It is being worked on.' };
  const { result, text: known } = RUN_ENDS[state];
  return { result, text: known ?? (told || `It is ${state}.`) };
}

/** The messages of the current run, the latest at the end. */
function messagesOf({ effects, run }: Consignment): readonly MessageDraft[] {
  return effects.flatMap(({ key, call }) => (call.kind === 'message' && isOfRun(key, run) ? [call.message] : []));
}
