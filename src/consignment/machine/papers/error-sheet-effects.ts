import { type MessageDraft, messageType } from '../../../messages/message.js';
import { type Consignment, type Effect, errorSheetFileName } from '../../consignment.js';
import { END_STATES } from '../../states.js';
import { MESSAGES_WAVE, STATUS_WAVE } from '../endings.js';
import type { ErrorSheets } from '../facts.js';

/*
 * The error sheet: an end that brings no label is printed where the label would have come out. It is attached together
 * with the messages to the worker and printed together with the document's last status, as a label: at most once, and
 * only after it was attached.
 */

/**
 * Adds the sheet to an end that tells the worker that no label will come. A failure that the worker was told before, in
 * the same words, gets no second sheet.
 */
export function withErrorSheet(
  before: Consignment,
  after: Consignment,
  { target, template }: ErrorSheets,
): Consignment {
  const { run, effects } = after;
  const isNew = (effect: Effect) => effect.state === 'open' && !before.effects.some(({ key }) => key === effect.key);
  if (END_STATES.includes(before.state) || !failuresTold(after).some(isNew)) return after;
  if (effects.some(({ key }) => key === sheetKey(run))) return after;
  const fileName = errorSheetFileName(after, target?.format ?? 'pdf');
  const open = { state: 'open', note: null } as const;
  const sheet: Effect = {
    key: sheetKey(run),
    wave: MESSAGES_WAVE,
    call: { kind: 'error-sheet', fileName, target },
    ...open,
  };
  const print: Effect = {
    ...{ key: `print-error-sheet:${run}`, wave: STATUS_WAVE, call: { kind: 'print-error-sheet', fileName, template } },
    ...open,
  };
  return { ...after, effects: [...effects, sheet, print] };
}

/** Prints no sheet that could not be attached: the IMS prints attachments only. */
export function withoutUnattachedSheet(consignment: Consignment): Consignment {
  const sheet = consignment.effects.find(({ key }) => key === sheetKey(consignment.run));
  if (sheet === undefined || sheet.state === 'open' || sheet.state === 'done') return consignment;
  const effects = consignment.effects.map((effect): Effect => {
    const isToBePrinted = effect.call.kind === 'print-error-sheet' && effect.state === 'open';
    return isToBePrinted ? { ...effect, state: 'not-allowed', note: sheet.note } : effect;
  });
  return { ...consignment, effects };
}

/** What the sheet says: why no label comes, in the messages that the worker gets at the end of this run. */
export function messagesOnSheet(consignment: Consignment): readonly MessageDraft[] {
  return failuresTold(consignment).flatMap(({ call }) => (call.kind === 'message' ? [call.message] : []));
}

function failuresTold({ effects, run }: Consignment): readonly Effect[] {
  return effects.filter(
    ({ key, call }) =>
      call.kind === 'message' &&
      key.startsWith(`message:${run}:${MESSAGES_WAVE}:`) &&
      messageType(call.message) === 'ERROR',
  );
}

function sheetKey(run: number): string {
  return `error-sheet:${run}`;
}
