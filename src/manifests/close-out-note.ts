import { quoteProblems } from '../messages/quote.js';
import type { CloseOutTrouble } from './close-out.js';

const OURS = 'not asked: ';
const CLOSED = 'closed out: ';

/** The note of a close-out: one line each for the carrier's answer, our errors, and what was closed. */
export function closeOutNote(troubles: readonly CloseOutTrouble[], closed: string): string {
  const of = (wanted: CloseOutTrouble['from']) => quoteProblems(troubles.filter(({ from }) => from === wanted));
  const [said, ours] = [of('carrier'), of('us')];
  const lines = [said, ours === '' ? '' : `${OURS}${ours}`, closed === '' ? '' : `${CLOSED}${closed}`];
  return lines.filter((line) => line !== '').join('\n') || '-';
}

/** The parts of a note. A note of one line is the carrier's answer, or from an older version. */
export function readCloseOutNote(note: string): Readonly<Record<'said' | 'ours' | 'closed', string | null>> {
  const lines = note.split('\n');
  const after = (start: string) => lines.find((line) => line.startsWith(start))?.slice(start.length) ?? null;
  const said = lines.find((line) => !line.startsWith(OURS) && !line.startsWith(CLOSED)) ?? null;
  return { said, ours: after(OURS), closed: after(CLOSED) };
}
