// A picture of a page with at most 256 colours: about a third of the size that Chromium writes.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = 256;
/** The upper four bits of each channel. */
const HUE = 0xf0f0f0;
const HUES = 192;
const CHANNELS = new Map([
  [2, 3],
  [6, 4],
]);

/**
 * @param {Buffer} png 8 bits a channel, RGB or RGBA, not interlaced, as Chromium writes it
 * @returns {Buffer} the same picture with a palette; colours beyond the 256 most frequent ones become the nearest of them
 */
export function smallerPng(png) {
  const { width, height, channels, data } = readPng(png);
  const pixels = unfiltered(inflateSync(data), width * channels, channels);
  const colours = new Uint32Array(width * height);
  for (let n = 0; n < colours.length; n += 1)
    colours[n] = (pixels[n * channels] << 16) | (pixels[n * channels + 1] << 8) | pixels[n * channels + 2];
  const palette = mostFrequent(colours);
  const rows = Buffer.alloc((width + 1) * height);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  for (let n = 0; n < colours.length; n += 1) {
    let place = places.get(colours[n]);
    if (place === undefined) places.set(colours[n], (place = nearest(palette, colours[n])));
    rows[n + Math.floor(n / width) + 1] = place;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const entries = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const packed = deflateSync(rows, { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', entries),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function readPng(png) {
  const header = png.subarray(16, 29);
  const channels = CHANNELS.get(header[9]);
  if (channels === undefined || header[8] !== 8 || header[12] !== 0) throw new Error('not a picture of Chromium');
  const parts = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4), channels, data: Buffer.concat(parts) };
}

/** Takes the filters of PNG (RFC 2083, 6) back. */
function unfiltered(rows, stride, channels) {
  const pixels = Buffer.alloc((rows.length / (stride + 1)) * stride);
  for (let row = 0; row * (stride + 1) < rows.length; row += 1) {
    const filter = rows[row * (stride + 1)];
    for (let n = 0; n < stride; n += 1) {
      const at = row * stride + n;
      const left = n < channels ? 0 : pixels[at - channels];
      const up = row === 0 ? 0 : pixels[at - stride];
      const upLeft = n < channels || row === 0 ? 0 : pixels[at - stride - channels];
      pixels[at] = rows[row * (stride + 1) + 1 + n] + predicted(filter, { left, up, upLeft });
    }
  }
  return pixels;
}

function predicted(filter, { left, up, upLeft }) {
  const paeth = () => {
    const [a, b, c] = [Math.abs(up - upLeft), Math.abs(left - upLeft), Math.abs(left + up - 2 * upLeft)];
    if (a <= b && a <= c) return left;
    return b <= c ? up : upLeft;
  };
  return [() => 0, () => left, () => up, () => (left + up) >> 1, paeth][filter]();
}

/** The most frequent colour of each of the most frequent hues, so that a rare red is not drowned by shades of grey; then the rest. */
function mostFrequent(colours) {
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  const hues = new Map();
  for (const colour of byCount) if (!hues.has(colour & HUE)) hues.set(colour & HUE, colour);
  return [...new Set([...[...hues.values()].slice(0, HUES), ...byCount])].slice(0, COLOURS);
}

function nearest(palette, colour) {
  const distance = (other) =>
    ((other >> 16) - (colour >> 16)) ** 2 +
    (((other >> 8) & 255) - ((colour >> 8) & 255)) ** 2 +
    ((other & 255) - (colour & 255)) ** 2;
  let best = 0;
  for (let place = 1; place < palette.length; place += 1)
    if (distance(palette[place]) < distance(palette[best])) best = place;
  return best;
}

function chunk(type, data) {
  const framed = Buffer.alloc(data.length + 12);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  data.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, data.length + 8)), data.length + 8);
  return framed;
}
