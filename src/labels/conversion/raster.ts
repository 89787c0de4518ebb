import type { Box, Size } from './matrix.js';

/** A drawing in shades of grey: one byte for each dot, 0 is black, rows from the top. */
export interface Raster extends Size {
  readonly grey: Uint8Array;
}

/** Lighter dots are printed as paper. Nothing is dithered: a barcode of grey dots cannot be read. */
const BLACK_BELOW = 128;
/** Thin lines are drawn in light grey where a dot is larger than the line. */
const INK_BELOW = 245;

/** The smallest box around all ink, with y from the lower edge; `null`: the drawing is empty. */
export function inkOf({ width, height, grey }: Raster): Box | null {
  let [left, right, top, low] = [width, -1, -1, -1];
  for (let row = 0; row < height; row += 1) {
    const line = grey.subarray(row * width, (row + 1) * width);
    const first = line.findIndex(isInk);
    if (first === -1) continue;
    if (top === -1) top = row;
    low = row;
    left = Math.min(left, first);
    right = Math.max(right, line.findLastIndex(isInk));
  }
  return top === -1 ? null : { x: left, y: height - 1 - low, width: right - left + 1, height: low - top + 1 };
}

const isInk = (shade: number) => shade < INK_BELOW;

/** One bit for each dot, 1 is black; each row begins a new byte. */
export function bitsOf({ width, height, grey }: Raster): { readonly rowBytes: number; readonly bits: Uint8Array } {
  const rowBytes = Math.ceil(width / 8);
  const bits = new Uint8Array(rowBytes * height);
  for (let row = 0, dot = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1, dot += 1)
      if ((grey[dot] ?? 255) < BLACK_BELOW) bits[row * rowBytes + (column >> 3)]! |= 0x80 >> (column & 7);
  return { rowBytes, bits };
}
