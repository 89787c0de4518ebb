import { type Raster, bitsOf } from '../raster.js';

/** How often the next digit comes: G to Y are 1 to 19, g to z are 20 to 400. ZPL II Programming Guide, "Alternative Data Compression Scheme". */
const ONES = 'GHIJKLMNOPQRSTUVWXY';
const TWENTIES = 'ghijklmnopqrstuvwxyz';
const MAX_RUN = 400;
/**
 * Fill the row with zeros; repeat the row above. The sign that fills it with ones is not used: readers of ZPL take it for
 * the digit F, or for the digit 1.
 */
const REST_WHITE = ',';
const AS_ABOVE = ':';

/** @returns 0: the sign does not say how often a digit comes */
export function digitTimes(sign: string): number {
  const [ones, twenties] = [ONES.indexOf(sign), TWENTIES.indexOf(sign)];
  return ones >= 0 ? ones + 1 : (twenties + 1) * 20;
}

/** Two rows with ink and no more white rows than these between them belong to the same part. */
const GAP_ROWS = 16;

/** A part of a picture, all sides with ink: rows of dots from the top, and bytes of a row from the left. */
interface Part {
  readonly top: number;
  low: number;
  left: number;
  right: number;
}

/**
 * A label in ZPL that is only pictures: each part with ink at its place; nothing of it is scaled by the printer. The white
 * around the parts is left out, so the label is smaller and is drawn sooner.
 */
export function zplOfPictures(raster: Raster): string {
  const { rowBytes, bits } = bitsOf(raster);
  const rows = Array.from({ length: raster.height }, (_, y) => bits.subarray(y * rowBytes, (y + 1) * rowBytes));
  const pictures = partsWithInk(rows).map((part) => pictureOf(rows, part));
  return `^XA^PW${raster.width}^LL${raster.height}^LH0,0${pictures.join('')}^PQ1^XZ\n`;
}

/** @returns of a white label its first byte: a printer prints no label without a field */
function partsWithInk(rows: readonly Uint8Array[]): readonly Part[] {
  const parts: Part[] = [];
  for (const [y, row] of rows.entries()) {
    const [left, right] = [row.findIndex(hasInk), row.findLastIndex(hasInk)];
    if (left === -1) continue;
    const last = parts.at(-1);
    if (last === undefined || y - last.low > GAP_ROWS + 1) parts.push({ top: y, low: y, left, right });
    else {
      last.low = y;
      last.left = Math.min(last.left, left);
      last.right = Math.max(last.right, right);
    }
  }
  return parts.length > 0 ? parts : [{ top: 0, low: 0, left: 0, right: 0 }];
}

const hasInk = (byte: number) => byte !== 0;

function pictureOf(rows: readonly Uint8Array[], { top, low, left, right }: Part): string {
  const packed: string[] = [];
  let above = '';
  for (const row of rows.slice(top, low + 1)) {
    const digits = Buffer.from(row.subarray(left, right + 1))
      .toString('hex')
      .toUpperCase();
    packed.push(digits === above ? AS_ABOVE : compressed(digits));
    above = digits;
  }
  const rowBytes = right - left + 1;
  const bytes = rowBytes * packed.length;
  return `^FO${left * 8},${top}^GFA,${bytes},${bytes},${rowBytes},${packed.join('')}^FS`;
}

/** Digits that come several times, once and with their number. No expression: one that repeats millions of times has no end. */
export function packedDigits(digits: string): string {
  const packed: string[] = [];
  for (let at = 0; at < digits.length;) {
    const digit = digits.charAt(at);
    let end = at + 1;
    while (end < digits.length && digits.charAt(end) === digit) end += 1;
    packed.push(counted(end - at, digit));
    at = end;
  }
  return packed.join('');
}

function compressed(row: string): string {
  const [, head = '', white = ''] = /^(.*?)(0*)$/.exec(row) ?? [];
  const end = white === '' ? '' : REST_WHITE;
  return head.replace(/(.)\1*/g, (run) => counted(run.length, run.charAt(0))) + end;
}

function counted(length: number, digit: string): string {
  if (length === 1) return digit;
  const whole = 'z'.repeat(Math.floor(length / MAX_RUN));
  const left = length % MAX_RUN;
  const twenties = TWENTIES.charAt(Math.floor(left / 20) - 1);
  return `${whole}${left < 20 ? '' : twenties}${left % 20 === 0 ? '' : ONES.charAt((left % 20) - 1)}${digit}`;
}
