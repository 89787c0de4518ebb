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

/** A label in ZPL that is one picture as large as the label; nothing of it is scaled by the printer. */
export function zplLabel(raster: Raster): string {
  const { rowBytes, bits } = bitsOf(raster);
  const rows: string[] = [];
  let above = '';
  for (let at = 0; at < bits.length; at += rowBytes) {
    const row = Buffer.from(bits.buffer, bits.byteOffset + at, rowBytes)
      .toString('hex')
      .toUpperCase();
    rows.push(row === above ? AS_ABOVE : compressed(row));
    above = row;
  }
  const size = `^PW${raster.width}^LL${raster.height}^LH0,0`;
  return `^XA${size}^FO0,0^GFA,${bits.length},${bits.length},${rowBytes},${rows.join('')}^FS^PQ1^XZ\n`;
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
