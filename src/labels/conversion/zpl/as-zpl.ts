import { type PDFDocument, type PDFPage, concatTransformationMatrix } from 'pdf-lib';
import { popGraphicsState, pushGraphicsState } from 'pdf-lib';
import { type PdfDrawings, drawingsOf } from '../draw-pdf.js';
import type { AddedPage } from '../onto-target.js';
import { type Matrix, type Size, inTurn, moved, scaled } from '../matrix.js';
import type { Raster } from '../raster.js';
import { type LabelTarget, dotsPerMm, mmOf } from '../target.js';
import { type DrawingChange, intoWholeDots } from '../whole-dots.js';
import { zplOfPictures } from './zpl-graphic.js';

/** A document whose pages are drawn. */
export interface Drawable {
  readonly document: PDFDocument;
  readonly save: () => Promise<Uint8Array>;
  /** Of each page. */
  readonly pages: readonly Pick<AddedPage, 'scale'>[];
  /** Whether a page, from 0, is to be drawn. */
  readonly isWanted: (page: number) => boolean;
}

/**
 * Draws each wanted page of a document as a label in ZPL, empty for the others. A page with a barcode is drawn again where that makes its bars whole dots.
 * @throws Unusable
 */
export async function pagesAsZpl(drawable: Drawable, { dpi }: LabelTarget): Promise<readonly string[]> {
  const pages = drawable.document.getPages();
  const labels = new Array<string>(pages.length).fill('');
  if (!pages.some((_page, place) => drawable.isWanted(place))) return labels;
  const again: number[] = [];
  for (const page of pages) wrap(page, NO_SNAPPING);
  await drawn(await drawable.save(), async (drawings) => {
    for (const [place, page] of pages.entries()) {
      if (!drawable.isWanted(place)) continue;
      const raster = await drawings.draw(place, dotsOf(page, dpi));
      const change = intoWholeDots(raster, drawable.pages[place]?.scale ?? 1);
      if (change === null) labels[place] = zplOfPictures(raster);
      else {
        changeDrawing(page, change, raster);
        again.push(place);
      }
    }
  });
  if (again.length === 0) return labels;
  await drawn(await drawable.save(), async (drawings) => {
    for (const place of again) labels[place] = zplOfPictures(await drawings.draw(place, dotsOf(pages[place], dpi)));
  });
  return labels;
}

async function drawn(pdf: Uint8Array, work: (drawings: PdfDrawings) => Promise<void>): Promise<void> {
  const drawings = await drawingsOf(pdf);
  await work(drawings).finally(drawings.close);
}

function dotsOf(page: PDFPage | undefined, dpi: LabelTarget['dpi']): Size {
  if (page === undefined) throw new Error('there is no such page');
  const dots = (points: number) => Math.round(mmOf(points) * dotsPerMm(dpi));
  return { width: dots(page.getWidth()), height: dots(page.getHeight()) };
}

function changeDrawing(page: PDFPage, { times, right, up }: DrawingChange, { width }: Raster): void {
  const dot = page.getWidth() / width;
  const [x, y] = [page.getWidth() / 2, page.getHeight() / 2];
  const matrix: Matrix = inTurn(moved(-x, -y), scaled(times), moved(x + right * dot, y + up * dot));
  wrap(page, matrix);
}

/**
 * The library that draws makes each upright rectangle a whole number of dots by itself, so bars become thicker. It does not
 * where their ends are aslant, here by a tenth of a dot over the whole label.
 */
const NO_SNAPPING: Matrix = [1, 0.0001, 0, 1, 0, 0];

function wrap(page: PDFPage, matrix: Matrix): void {
  const { context } = page.doc;
  const [before, after] = [[pushGraphicsState(), concatTransformationMatrix(...matrix)], [popGraphicsState()]].map(
    (operators) => context.register(context.contentStream(operators)),
  );
  if (before !== undefined && after !== undefined) page.node.wrapContentStreams(before, after);
}
