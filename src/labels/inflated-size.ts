import { inflateSync } from 'node:zlib';

const MAX_STREAMS = 5_000;
const MAX_STREAM_BYTES = 100_000_000;
const MAX_TOTAL_BYTES = 300_000_000;
/** RFC 1951: a pair of at least two bits stands for at most 258 bytes. */
const MAX_TIMES_LARGER = 1_032;

/**
 * Whether the compressed parts of a PDF become so large that reading it would take all memory. The PDF library knows no
 * bound, so they are unpacked once here, where one can be set. At once: what reads labels has a process of its own, and
 * the way to another thread and back takes longer than a label's parts do.
 * Streams that are packed twice or by anything but Flate are not seen.
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

/** What stands between `stream` and `endstream` and begins like zlib data. */
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

/** RFC 1950, 2.2: method 8 in the low bits of the first byte; both bytes together divide by 31. */
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
    // Broken data is for the PDF library to judge.
    return tooLarge ? Infinity : 0;
  }
}
