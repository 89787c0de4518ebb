import type { LabelTemplate, LabelValues } from '../../carriers/contract/tools.js';
import { type AssembledLabels, type LabelToPrint, assembleLabels } from './assemble.js';
import { boundDecoding } from './bounded-decoding.js';
import { loadPdfDrawer } from './conversion/draw-pdf.js';
import type { LabelTarget } from './conversion/target.js';
import { loadZplDrawer } from './conversion/zpl/draw-zpl.js';
import { LabelUnusable } from './label-unusable.js';
import type { CustomsPaper } from '../papers/customs/customs-paper.js';
import type { ErrorSheet } from '../papers/error-sheet.js';

/** What this process is asked for: one file of these labels, or something that Waybridge draws itself. */
export type AssemblyRequest =
  | { readonly labels: readonly LabelToPrint[]; readonly target: LabelTarget | null }
  | { readonly template: LabelTemplate; readonly values: readonly LabelValues[] }
  | { readonly errorSheet: ErrorSheet }
  | { readonly paper: CustomsPaper }
  /** A page, from 1. */
  | { readonly pdf: Uint8Array; readonly page: number };

/** What this process says once, when it can be asked. */
export interface Ready {
  readonly kind: 'ready';
}

/** The answer of this process. */
export type AssemblyAnswer =
  /** `bytes` is `null` where they are those of the only label, as it came. */
  | {
      readonly kind: 'assembled';
      readonly labels: Readonly<Omit<AssembledLabels, 'bytes'>>;
      readonly bytes: Uint8Array | null;
    }
  | { readonly kind: 'drawn'; readonly bytes: Uint8Array }
  | { readonly kind: 'unusable'; readonly because: string; readonly position: number | null }
  | { readonly kind: 'failed'; readonly because: string };

async function answerTo(request: AssemblyRequest): Promise<AssemblyAnswer> {
  try {
    if (!('labels' in request)) return { kind: 'drawn', bytes: await drawn(request) };
    return assembled(request.labels, await assembleLabels(request.labels, request.target));
  } catch (error) {
    if (error instanceof LabelUnusable) return { kind: 'unusable', because: error.message, position: error.position };
    return { kind: 'failed', because: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Loads what draws when it is first needed: with all of it in memory, labels that only pass through take longer. */
async function drawn(request: Exclude<AssemblyRequest, { labels: unknown }>): Promise<Uint8Array> {
  if ('pdf' in request) return (await import('./conversion/page-picture.js')).pagePicture(request.pdf, request.page);
  if ('paper' in request) return (await import('../papers/customs/draw-paper.js')).drawPaper(request.paper);
  if ('errorSheet' in request) return (await import('../papers/error-sheet.js')).drawErrorSheet(request.errorSheet);
  const { drawTemplate } = await import('../../carriers/toolkit/label-template/draw.js');
  return drawTemplate(request.template, request.values);
}

/** What the service has already is not sent back to it. */
function assembled([first]: readonly LabelToPrint[], { bytes, ...labels }: AssembledLabels): AssemblyAnswer {
  return { kind: 'assembled', labels, bytes: bytes === first?.bytes ? null : bytes };
}

/** A failure is told by the first label that needs it. */
function load(drawer: string): void {
  void (drawer === 'zpl' ? loadZplDrawer() : loadPdfDrawer()).catch(() => undefined);
}

boundDecoding();
process.argv.slice(2).forEach(load);
// The service handles a signal to the whole group: it finishes its work and then ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.send?.({ kind: 'ready' } satisfies Ready);
process.on('message', (request: AssemblyRequest) => {
  void answerTo(request).then((answer) => process.send?.(answer));
});
