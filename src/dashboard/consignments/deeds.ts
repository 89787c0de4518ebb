import type { ActionEntry, LastAction } from '../../operator/last-action.js';
import type { Times } from '../format.js';
import type { Shown } from '../shapes.js';

const NAMES: Readonly<Record<LastAction['action'], string>> = {
  retry: 'Retry',
  reprint: 'Reprint',
  cancel: 'Cancellation',
  resolve: 'Answer',
};
const RESULTS: Readonly<Record<LastAction['result'], readonly [words: string, tone: Shown['tone']]>> = {
  pending: ['under way', 'quiet'],
  done: ['done', 'ok'],
  partly: ['done in part', 'warn'],
  refused: ['refused', 'danger'],
  unknown: ['its result is not known', 'warn'],
  'needs-operator': ['needs your answer', 'warn'],
  superseded: ['begun anew since', 'quiet'],
};

/** What became of an action, for the line where the action was. */
export function resultOf({ action, result, text }: LastAction) {
  const [words, tone] = RESULTS[result];
  return { words: `${NAMES[action]}: ${words}`, tone, text };
}

interface Entry {
  readonly at: Date;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Done {
  readonly createdAt: Date;
  readonly documentId: string | null;
  readonly history: readonly Entry[];
}

/** Who did something with a consignment: the event, and each action of an operator. */
export interface Deed {
  readonly time: string;
  readonly at: string;
  readonly who: string;
  readonly what: string;
  /** Why the operator did it; empty: that was not said. */
  readonly reason: string;
}

/** A reprint is written before it leaves, and again with its result. */
function isBegun(fields: Entry['fields'], next: Entry['fields'] = {}): boolean {
  return (
    fields['result'] === 'unknown' && ['action', 'by', 'run', 'reason'].every((name) => fields[name] === next[name])
  );
}

/** Pure. */
export function deedsOf({ createdAt, history, documentId }: Done, times: Times): readonly Deed[] {
  const asked = documentId === null ? 'asked for the booking' : `asked for the booking by document ${documentId}`;
  const actions = history.filter(({ fields }) => fields['action'] !== undefined);
  const done = actions.flatMap(({ at, fields }, place) => {
    const { action, by, reason = '' } = fields as unknown as ActionEntry;
    return isBegun(fields, actions[place + 1]?.fields) ? [] : [{ at, who: by, what: action, reason }];
  });
  return [{ at: createdAt, who: 'The IMS', what: asked, reason: '' }, ...done].map((deed) => ({
    ...{ ...deed, time: times.time(deed.at), at: deed.at.toISOString() },
  }));
}
