import { inflateSync } from 'node:zlib';
import { Unusable } from '../../label-unusable.js';
import { plainDigits } from './plain-digits.js';
import { packedDigits } from './zpl-graphic.js';

/** A picture of A4 at 600 dpi. */
const MAX_PICTURE_BYTES = 4_500_000;
/** Format, bytes sent, bytes of the picture, bytes of a row. */
const HEAD = /^\s*([ABC]?)\s*,\s*(\d*)\s*,\s*(\d*)\s*,\s*(\d*)\s*,/i;
/** Bytes in base 64, packed by zlib or not; behind them is a checksum. */
const IN_BASE_64 = /^\s*:(B64|Z64):([^:]*)/i;

/**
 * @param data what follows `^GF`
 * @returns the same picture in plain digits, each with how often it comes: the program that draws reads nothing else right
 * @throws Unusable it is too large, or packed in an unknown way
 */
export function readablePicture(data: string): string {
  const [head = '', form = '', sent = '', bytes = '', rowBytes = ''] = HEAD.exec(data) ?? [];
  if (head === '') return data;
  requireSmall(sent, bytes, rowBytes);
  const digits = digitsAs(form.toUpperCase(), data.slice(head.length), {
    sent: Number(sent),
    bytes: Number(bytes || sent),
    rowBytes: Number(rowBytes),
  });
  return `A,${digits.length / 2},${digits.length / 2},${rowBytes},${packedDigits(digits)}`;
}

interface Sizes {
  readonly sent: number;
  readonly bytes: number;
  readonly rowBytes: number;
}

function digitsAs(form: string, picture: string, { sent, bytes, rowBytes }: Sizes): string {
  if (form === 'C') throw new Unusable('has a picture that is packed in a way that cannot be read');
  if (form !== 'B') return digitsOf(picture, bytes, rowBytes);
  return Buffer.from(picture.slice(0, sent), 'latin1').toString('hex').toUpperCase();
}

function requireSmall(...sizes: readonly string[]): void {
  if (sizes.some((size) => Number(size) > MAX_PICTURE_BYTES)) throw tooLarge();
}

/**
 * @param data what follows `~DG`: a name, bytes of the picture, bytes of a row, digits
 * @returns the same
 * @throws Unusable it is too large
 */
export function readableStored(data: string): string {
  const [, named = '', bytes = '', rowBytes = '', picture = ''] =
    /^([^,]*),\s*(\d+)\s*,\s*(\d+)\s*,(.*)$/s.exec(data) ?? [];
  if (bytes === '') return data;
  requireSmall(bytes, rowBytes);
  return `${named},${bytes},${rowBytes},${packedDigits(digitsOf(picture, Number(bytes), Number(rowBytes)))}`;
}

/** Reads the digits of a picture, cut or filled up to its size: what a printer does not get is white. */
function digitsOf(picture: string, bytes: number, rowBytes: number): string {
  const [, packing, text = ''] = IN_BASE_64.exec(picture) ?? [];
  const digits =
    packing === undefined
      ? plainDigits(picture, rowBytes * 2, 2 * MAX_PICTURE_BYTES)
      : unpacked(packing, Buffer.from(text, 'base64')).toString('hex').toUpperCase();
  if (digits === null) throw tooLarge();
  return digits.slice(0, 2 * bytes).padEnd(2 * bytes, '0');
}

function unpacked(packing: string, bytes: Buffer): Buffer {
  if (packing.toUpperCase() === 'B64') return bytes;
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_PICTURE_BYTES });
  } catch (cause) {
    const isLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    throw isLarge ? tooLarge() : new Unusable('has a picture that is broken', { cause });
  }
}

const tooLarge = () => new Unusable('has a picture that is too large');
