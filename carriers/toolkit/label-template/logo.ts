import type { LabelLogo, OperatorFiles } from '../../contract/index.js';

const MAX_LOGO_BYTES = 200_000;
/** Each label draws it anew; this many take about 20 ms. */
const MAX_PNG_PIXELS = 400_000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
/** The width stands 16 bytes after the beginning, the height behind it. */
const PNG_WIDTH_AT = 16;
const PNG_HEIGHT_AT = 20;

/** @throws Error the file is missing, too large, or no picture that is known */
export function readLogo(files: OperatorFiles, name: string): LabelLogo {
  const bytes = Buffer.from(files.read(name, MAX_LOGO_BYTES));
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return { format: 'jpeg', bytes };
  if (!bytes.subarray(0, PNG.length).equals(PNG) || bytes.length < PNG_HEIGHT_AT + 4)
    throw new Error(`the logo ${name} must be a PNG or JPEG`);
  const pixels = bytes.readUInt32BE(PNG_WIDTH_AT) * bytes.readUInt32BE(PNG_HEIGHT_AT);
  if (pixels > MAX_PNG_PIXELS) throw new Error(`the logo ${name} must have at most ${MAX_PNG_PIXELS} pixels`);
  return { format: 'png', bytes };
}
