import { crc32, deflateSync } from 'node:zlib';
import type { Raster } from './raster.js';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Eight bits of grey for each dot, not interlaced. */
const GREY = Buffer.from([8, 0, 0, 0, 0]);

/** A PNG of a drawing in shades of grey. @see ISO/IEC 15948 */
export function asPng({ width, height, grey }: Raster): Uint8Array {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  // Each row begins with the number of its filter; 0 is none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1)
    rows.set(grey.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  const chunks = [chunk('IHDR', Buffer.concat([size, GREY])), chunk('IDAT', deflateSync(rows)), chunk('IEND')];
  return new Uint8Array(Buffer.concat([SIGNATURE, ...chunks]));
}

function chunk(name: string, content = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'ascii'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
