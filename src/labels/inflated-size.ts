import { inflateSync } from 'node:zlib';

const MAX_STREAMS = 5_000;
const MAX_STREAM_BYTES = 100_000_000;
const MAX_TOTAL_BYTES = 300_000_000;
/** RFC 1951: at least two bits encode at most 258 bytes. */
const MAX_TIMES_LARGER = 1_032;

/**
 * Whether the compressed streams of a PDF become so large that reading it would take all memory. The PDF library has no
 * limit, so this unpacks them once with a limit. It does so synchronously: labels are read in a process of their own, and
 * another thread would cost more time than unpacking the streams of a label.
 * Does not see streams that are packed twice or with another filter than Flate.
 */
export function isBomb(pdf: Buffer): boolean {
  const streams: Buffer[] = [];
  let bytes = 0;
  for (const packed of flateStreams(pdf)) {
    bytes += packed.length;
    if (streams.push(packed) > MAX_STREAMS) return true;
  }
  if (bytes * MAX_TIMES_LARGER <= MAX_STREAM_BYTES) return false;
  let total = 0;
  return streams.some((packed) => (total += sizeOf(packed)) > MAX_TOTAL_BYTES);
}

/** The bytes between `stream` and `endstream`, where they begin like zlib data. */
export function* flateStreams(pdf: Buffer): Generator<Buffer> {
  const BEGIN = 'stream';
  const END = 'endstream';
  for (let at = pdf.indexOf(BEGIN); at !== -1; at = pdf.indexOf(BEGIN, at + 1)) {
    const start = at + BEGIN.length + (pdf[at + BEGIN.length] === 0x0d ? 2 : 1);
    const end = pdf.indexOf(END, start);
    if (end === -1) return;
    if (isZlib(pdf, start)) yield pdf.subarray(start, end);
    at = end + END.length - 1;
  }
}

/** RFC 1950, 2.2: the low bits of the first byte are method 8, and both bytes as one number are a multiple of 31. */
export function isZlib(bytes: Buffer, at: number): boolean {
  const [first = 0, second = 0] = bytes.subarray(at, at + 2);
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

function sizeOf(packed: Buffer): number {
  try {
    return inflateSync(packed, { maxOutputLength: MAX_STREAM_BYTES }).length;
  } catch (error) {
    const tooLarge =
      typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    // Broken data is not large; the PDF library reports it.
    return tooLarge ? Infinity : 0;
  }
}
