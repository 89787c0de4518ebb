import { type PDFDocument, type PDFPage, type PDFRef } from 'pdf-lib';
import { clip, concatTransformationMatrix, drawObject, endPath } from 'pdf-lib';
import { popGraphicsState, pushGraphicsState, rectangle } from 'pdf-lib';
import { drawnMark } from './drawn-mark.js';
import { type Layout, layoutOf } from './layout.js';
import type { FindInk } from './crop.js';
import { type Box, type Matrix, type Size, boxAfter, inTurn, inverse } from './matrix.js';
import { type AreaFit, fitInto, ontoArea, sizeOf } from './placement.js';
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

export interface Added {
  readonly leftAsTheyCame: readonly LeftAsItCame[];
  /** In the order in which they were added. */
  readonly pages: readonly AddedPage[];
}

export interface AddedPage {
  readonly scale: number;
  /** Whether nothing of it was scaled, cut off or turned. */
  readonly isAsItCame: boolean;
}

/** What pages are brought into. */
export interface Onto {
  readonly document: PDFDocument;
  readonly target: LabelTarget;
  readonly findInk: FindInk;
}

/**
 * Adds the pages of labels to the document: each at its size on a page of the target, or several on a sheet. Where a page
 * is too large, the part of it that has ink is taken. Pages that do not fit from 80 % to 100 % are added as they are.
 */
export async function addOntoTarget(
  labels: readonly CopiedLabel[],
  { document, target, findInk }: Onto,
): Promise<Added> {
  const layout = layoutOf(target);
  const left = new Map<number, string>();
  const added: AddedPage[] = [];
  let sheet: Sheet | null = null;
  let number = 0;
  for (const { position, pages } of labels)
    for (const page of pages) {
      const seen = seenPage(page);
      const cut: Cut | string | null = layout && (await cutOf(layout, seen, () => findInk(number, seen)));
      number += 1;
      added.push(addedPage(cut, seen));
      if (typeof cut === 'string' && !left.has(position)) left.set(position, cut);
      if (layout === null || cut === null || typeof cut === 'string') document.addPage(page);
      else sheet = await place(document, { seen, cut, layout, sheet });
    }
  return { leftAsTheyCame: [...left].map(([position, because]) => ({ position, because })), pages: added };
}

function addedPage(cut: Cut | string | null, seen: SeenPage): AddedPage {
  if (cut === null || typeof cut === 'string') return { scale: 1, isAsItCame: true };
  const { box, fit } = cut;
  const isWhole = box.width === seen.width && box.height === seen.height;
  return { scale: fit.scale, isAsItCame: isWhole && fit.scale === 1 && fit.quarters === 0 };
}

/** The part of a page that is printed, in its seen coordinates, and how it goes onto its place. */
interface Cut {
  readonly box: Box;
  readonly fit: AreaFit & { kind: 'fits' };
}

/** @returns else why it does not fit, as the end of the sentence "label 1 of 2 …" */
async function cutOf(
  { areas: [area] }: Layout,
  seen: SeenPage,
  findInk: () => Promise<Box | null>,
): Promise<Cut | string> {
  if (printedMarks(seen).some((mark) => drawnMark(mark) === null))
    return 'has marks that only another program could draw';
  const whole = { x: 0, y: 0, width: seen.width, height: seen.height };
  const fit = fitInto(area, whole);
  if (fit.kind === 'fits' && fit.scale === 1) return { box: whole, fit };
  const box = (await findInk()) ?? whole;
  const inkFit = fitInto(area, box);
  if (inkFit.kind === 'fits') return { box, fit: inkFit };
  return `is ${inMm(box)} mm and would have to shrink to ${Math.floor(inkFit.scale * 100)} % for ${inMm(area)} mm`;
}

function inMm(size: Size): string {
  return [size.width, size.height].map((side) => (side === Infinity ? 'any' : Math.round(mmOf(side)))).join(' x ');
}

async function place(
  document: PDFDocument,
  { seen, cut, layout, sheet }: { seen: SeenPage; cut: Cut; layout: Layout; sheet: Sheet | null },
): Promise<Sheet> {
  const isFree = sheet !== null && sheet.used < layout.areas.length;
  const current = isFree ? sheet : fresh(document, layout, sizeOf(cut.fit, cut.box));
  const area = layout.areas[current.used] ?? layout.areas[0];
  current.used += 1;
  await drawOnto(current.page, seen, { ...cut, area: within(area, current.page) });
  return current;
}

function fresh(document: PDFDocument, { page }: Layout, needed: Size): Sheet {
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
  { box, area, fit }: Cut & { readonly area: Box },
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
