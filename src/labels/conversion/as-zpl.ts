import { drawingsOf } from './draw-pdf.js';
import type { Size } from './matrix.js';
import { type LabelTarget, dotsPerMm, mmOf } from './target.js';
import { zplLabel } from './zpl-graphic.js';

/**
 * Draws each page of a document as a label in ZPL.
 * @param pages sizes of the pages, in points
 * @throws Unusable
 */
export async function pagesAsZpl(
  pdf: Uint8Array,
  pages: readonly Size[],
  { dpi }: LabelTarget,
): Promise<readonly string[]> {
  const drawings = await drawingsOf(pdf);
  const dots = (points: number) => Math.round(mmOf(points) * dotsPerMm(dpi));
  try {
    const labels: string[] = [];
    for (const [page, { width, height }] of pages.entries())
      labels.push(zplLabel(await drawings.draw(page, { width: dots(width), height: dots(height) })));
    return labels;
  } finally {
    drawings.close();
  }
}
