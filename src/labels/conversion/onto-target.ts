import { type PDFDocument, type PDFPage, type PDFRef } from 'pdf-lib';
import { clip, concatTransformationMatrix, drawObject, endPath } from 'pdf-lib';
import { popGraphicsState, pushGraphicsState, rectangle } from 'pdf-lib';
import { drawnMark } from './drawn-mark.js';
import { type Layout, layoutOf } from './layout.js';
import { type Box, type Matrix, boxAfter, inTurn, inverse } from './matrix.js';
import { type Fit, fitInto, ontoArea, sizeOf } from './placement.js';
import { type SeenPage, printedMarks, seenPage } from './seen-page.js';
import { type LabelTarget, type LeftAsItCame, mmOf } from './target.js';

/** Pages of one label, copied into the document that they are printed from. */
export interface CopiedLabel {
  readonly position: number;
  readonly pages: readonly PDFPage[];
}

/** A page that is being filled. */
interface Sheet {
  readonly page: PDFPage;
  /** Places that are taken. */
  used: number;
}

/**
 * Adds the pages of labels to the document: each at its size on a page of the target, or several on a sheet. Pages that do
 * not fit from 80 % to 100 % are added as they are.
 */
export async function addOntoTarget(
  document: PDFDocument,
  labels: readonly CopiedLabel[],
  target: LabelTarget,
): Promise<readonly LeftAsItCame[]> {
  const layout = layoutOf(target);
  const left = new Map<number, string>();
  let sheet: Sheet | null = null;
  for (const { position, pages } of labels)
    for (const page of pages) {
      const because: string | null = layout === null ? null : whyNot(layout, page);
      if (because !== null && !left.has(position)) left.set(position, because);
      if (layout === null || because !== null) document.addPage(page);
      else sheet = await place(document, { page, layout, sheet });
    }
  return [...left].map(([position, because]) => ({ position, because }));
}

/** @returns the end of the sentence "label 1 of 2 …"; `null`: it fits */
function whyNot({ areas: [area] }: Layout, page: PDFPage): string | null {
  const seen = seenPage(page);
  if (printedMarks(seen).some((mark) => drawnMark(mark) === null))
    return 'has marks that only another program could draw';
  const fit = fitInto(area, seen);
  if (fit.kind === 'fits') return null;
  return `is ${inMm(seen)} mm and would have to shrink to ${Math.floor(fit.scale * 100)} % for ${inMm(area)} mm`;
}

function inMm(size: { readonly width: number; readonly height: number }): string {
  return [size.width, size.height].map((side) => (side === Infinity ? 'any' : Math.round(mmOf(side)))).join(' x ');
}

async function place(
  document: PDFDocument,
  { page, layout, sheet }: { page: PDFPage; layout: Layout; sheet: Sheet | null },
): Promise<Sheet> {
  const seen = seenPage(page);
  const fit = fitInto(layout.areas[0], seen);
  if (fit.kind !== 'fits') throw new Error('a page that does not fit is added as it is');
  const current =
    sheet !== null && sheet.used < layout.areas.length ? sheet : fresh(document, layout, sizeOf(fit, seen));
  const area = layout.areas[current.used] ?? layout.areas[0];
  current.used += 1;
  const box = { x: 0, y: 0, width: seen.width, height: seen.height };
  await drawOnto(current.page, seen, { box, area: within(area, current.page), fit });
  return current;
}

function fresh(document: PDFDocument, { page }: Layout, needed: { width: number; height: number }): Sheet {
  const width = page.width === Infinity ? needed.width : page.width;
  const height = page.height === Infinity ? needed.height : page.height;
  return { page: document.addPage([width, height]), used: 0 };
}

function within(area: Box, page: PDFPage): Box {
  return { ...area, width: Math.min(area.width, page.getWidth()), height: Math.min(area.height, page.getHeight()) };
}

/** Draws a part of a page onto an area of another one; nothing of it gets outside. */
async function drawOnto(
  onto: PDFPage,
  seen: SeenPage,
  { box, area, fit }: { readonly box: Box; readonly area: Box; readonly fit: Fit & { kind: 'fits' } },
): Promise<void> {
  const matrix = inTurn(seen.toSeen, ontoArea(area, box, fit));
  const cut = boxAfter(inverse(seen.toSeen), box);
  const shown = boxAfter(matrix, cut);
  const contents = seen.page.node.Contents();
  onto.pushOperators(
    pushGraphicsState(),
    ...[rectangle(shown.x, shown.y, shown.width, shown.height), clip(), endPath()],
  );
  if (contents !== undefined) draw(onto, { form: await formOf(onto.doc, seen.page, cut), name: 'Label', matrix });
  for (const mark of printedMarks(seen)) {
    const drawn = drawnMark(mark);
    if (drawn !== null) draw(onto, { form: drawn.drawing, name: 'Mark', matrix: inTurn(drawn.toPage, matrix) });
  }
  onto.pushOperators(popGraphicsState());
}

async function formOf(document: PDFDocument, page: PDFPage, cut: Box): Promise<PDFRef> {
  const box = { left: cut.x, bottom: cut.y, right: cut.x + cut.width, top: cut.y + cut.height };
  const form = await document.embedPage(page, box, [1, 0, 0, 1, 0, 0]);
  await form.embed();
  return form.ref;
}

interface Drawing {
  readonly form: PDFRef;
  readonly name: string;
  readonly matrix: Matrix;
}

function draw(onto: PDFPage, { form, name, matrix }: Drawing): void {
  const key = onto.node.newXObject(name, form);
  onto.pushOperators(pushGraphicsState(), concatTransformationMatrix(...matrix), drawObject(key), popGraphicsState());
}
