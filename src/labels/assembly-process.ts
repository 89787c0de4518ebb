import type { LabelTemplate, LabelValues } from '../../carriers/contract/tools.js';
import { drawTemplate } from '../../carriers/toolkit/label-template/draw.js';
import { type AssembledLabels, type LabelToPrint, assembleLabels } from './assemble.js';
import { boundDecoding } from './bounded-decoding.js';
import { pagePicture } from './conversion/page-picture.js';
import { loadPdfDrawer } from './conversion/draw-pdf.js';
import type { LabelTarget } from './conversion/target.js';
import { loadZplDrawer } from './conversion/zpl/draw-zpl.js';
import { LabelUnusable } from './label-unusable.js';
import type { CustomsPaper } from '../papers/customs/customs-paper.js';
import { drawPaper } from '../papers/customs/draw-paper.js';
import { type ErrorSheet, drawErrorSheet } from '../papers/error-sheet.js';

/** What this process is asked for: one file of these labels, or something that Waybridge draws itself. */
export type AssemblyRequest =
  | { readonly labels: readonly LabelToPrint[]; readonly target: LabelTarget | null }
  | { readonly template: LabelTemplate; readonly values: readonly LabelValues[] }
  | { readonly errorSheet: ErrorSheet }
  | { readonly paper: CustomsPaper }
  /** A page, from 1. */
  | { readonly pdf: Uint8Array; readonly page: number };

/** The answer of this process. */
export type AssemblyAnswer =
  | { readonly kind: 'assembled'; readonly labels: AssembledLabels }
  | { readonly kind: 'drawn'; readonly bytes: Uint8Array }
  | { readonly kind: 'unusable'; readonly because: string; readonly position: number | null }
  | { readonly kind: 'failed'; readonly because: string };

async function answerTo(request: AssemblyRequest): Promise<AssemblyAnswer> {
  try {
    if ('template' in request) return { kind: 'drawn', bytes: await drawTemplate(request.template, request.values) };
    if ('errorSheet' in request) return { kind: 'drawn', bytes: await drawErrorSheet(request.errorSheet) };
    if ('pdf' in request) return { kind: 'drawn', bytes: await pagePicture(request.pdf, request.page) };
    if ('paper' in request) return { kind: 'drawn', bytes: await drawPaper(request.paper) };
    return { kind: 'assembled', labels: await assembleLabels(request.labels, request.target) };
  } catch (error) {
    if (error instanceof LabelUnusable) return { kind: 'unusable', because: error.message, position: error.position };
    return { kind: 'failed', because: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
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
process.on('message', (request: AssemblyRequest) => {
  void answerTo(request).then((answer) => process.send?.(answer));
});
