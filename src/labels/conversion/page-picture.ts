import { drawingsOf } from './draw-pdf.js';
import { asPng } from './png.js';

/** Dots for each point: text of a label is read well on a screen. */
const SHARPNESS = 2;
/** The limit of the longer side, in dots. */
const MAX_SIDE = 2_000;

/**
 * Draws a page of a PDF that was read before as PNG, for a screen.
 * @param page from 1
 * @throws Unusable
 */
export async function pagePicture(pdf: Uint8Array, page: number): Promise<Uint8Array> {
  const drawings = await drawingsOf(pdf);
  try {
    const { width, height } = await drawings.sizeOf(page - 1);
    const scale = Math.min(SHARPNESS, MAX_SIDE / Math.max(width, height));
    const dots = (points: number) => Math.max(1, Math.round(points * scale));
    return asPng(await drawings.draw(page - 1, { width: dots(width), height: dots(height) }));
  } finally {
    drawings.close();
  }
}
