import type { AssembledLabels, LabelToPrint } from '../assemble.js';
import type { LabelTarget } from '../conversion/target.js';
import type { CustomsPaper } from '../../papers/customs/customs-paper.js';
import type { ErrorSheet } from '../../papers/error-sheet.js';

/** What the process that reads labels is asked for: one file of these labels, or a sheet of our own. */
export type AssemblyRequest =
  | { readonly labels: readonly LabelToPrint[]; readonly target: LabelTarget | null }
  | { readonly errorSheet: ErrorSheet }
  | { readonly paper: CustomsPaper };

/** Its answer. */
export type AssemblyAnswer =
  | { readonly kind: 'assembled'; readonly labels: AssembledLabels }
  | { readonly kind: 'drawn'; readonly bytes: Uint8Array }
  | { readonly kind: 'unusable'; readonly because: string; readonly position: number | null }
  | { readonly kind: 'failed'; readonly because: string };

/** A message whose bytes come beside it, in their order. */
export interface Beside<Content> {
  readonly content: Content;
  readonly sizes: readonly number[];
}

/** Splits the bytes of labels from a request. */
export function withoutBytes(request: AssemblyRequest): readonly [Beside<AssemblyRequest>, readonly Uint8Array[]] {
  if (!('labels' in request)) return [{ content: request, sizes: [] }, []];
  const all = request.labels.map(({ bytes }) => bytes);
  const labels = request.labels.map((label) => ({ ...label, bytes: NONE }));
  return [{ content: { ...request, labels }, sizes: all.map(({ length }) => length) }, all];
}

export function withBytes(request: AssemblyRequest, all: readonly Uint8Array[]): AssemblyRequest {
  if (!('labels' in request)) return request;
  return { ...request, labels: request.labels.map((label, place) => ({ ...label, bytes: all[place] ?? NONE })) };
}

export function answerWithoutBytes(answer: AssemblyAnswer): readonly [Beside<AssemblyAnswer>, readonly Uint8Array[]] {
  if (answer.kind === 'drawn')
    return [{ content: { ...answer, bytes: NONE }, sizes: [answer.bytes.length] }, [answer.bytes]];
  if (answer.kind !== 'assembled') return [{ content: answer, sizes: [] }, []];
  const { bytes } = answer.labels;
  return [{ content: { ...answer, labels: { ...answer.labels, bytes: NONE } }, sizes: [bytes.length] }, [bytes]];
}

export function answerWithBytes(answer: AssemblyAnswer, [bytes = NONE]: readonly Uint8Array[]): AssemblyAnswer {
  if (answer.kind === 'drawn') return { ...answer, bytes };
  return answer.kind === 'assembled' ? { ...answer, labels: { ...answer.labels, bytes } } : answer;
}

const NONE = new Uint8Array();
