import './optimised-wasm.js';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ready } from 'zpl-renderer-js';
import { type ReaderOptions, prepareZXingModule, readBarcodes } from 'zxing-wasm';
import type { AssembledLabels } from '../../src/labels/assemble.js';
import { type LabelTarget, dotsPerMm } from '../../src/labels/conversion/target.js';

const MM_PER_INCH = 25.4;
const has = (command: string) => spawnSync(command, ['--version']).error === undefined;

/** Whether pages can be drawn and read by programs that know nothing of us. */
export const canDraw = has('pdftoppm');
if (!canDraw) process.stderr.write('symbols of labels: skipped, no pdftoppm was found on this machine\n');
const canScan = has('zbarimg');

const { resolve } = createRequire(`${process.cwd()}/package.json`);
void prepareZXingModule({
  overrides: { wasmBinary: new Uint8Array(readFileSync(resolve('zxing-wasm/full/zxing_full.wasm'))).buffer },
});

/** The first page as a printer of that resolution puts it on paper: a picture in PGM or PNG. */
export async function printed({ bytes, format }: Printable, { widthMm, heightMm, dpi }: Paper): Promise<Uint8Array> {
  if (format === 'pdf') return drawnPdf(bytes, dotsPerMm(dpi) * MM_PER_INCH);
  const zpl = Buffer.from(bytes).toString('latin1');
  const dots = (command: string, mm: number | null) =>
    Number(new RegExp(`\\^${command}(\\d+)`).exec(zpl)?.[1] ?? Math.round((mm ?? 0) * dotsPerMm(dpi)));
  const { api } = await ready;
  // With one dot for each mm, sizes are dots.
  const [first = ''] = await api.zplToBase64MultipleAsync(zpl, dots('PW', widthMm), dots('LL', heightMm), 1);
  return Buffer.from(first, 'base64');
}

type Printable = Pick<AssembledLabels, 'bytes' | 'format'>;
type Paper = Pick<LabelTarget, 'widthMm' | 'heightMm' | 'dpi'>;

function drawnPdf(pdf: Uint8Array, dpi: number): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-symbols-'));
  try {
    const page = join(folder, 'page');
    writeFileSync(`${page}.pdf`, pdf);
    execFileSync('pdftoppm', ['-r', String(dpi), '-gray', '-singlefile', `${page}.pdf`, page]);
    return readFileSync(`${page}.pgm`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of all that the reader can do for a picture, what finds most: it tries neither light symbols on dark nor a smaller picture. */
const FIRST: ReaderOptions = { tryHarder: true, tryInvert: false, tryDownscale: false };

/**
 * What is read on a page, without control characters and brackets: by ZXing, where that does not find all once more with all that it
 * can do, and then by zbar, which reads linear symbols and QR codes.
 */
export async function readSymbols(picture: Uint8Array, expected: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const isWhole = (found: ReadonlySet<string>) => [...expected].every((text) => found.has(text));
  const first = await readByZxing(picture, FIRST);
  if (isWhole(first)) return first;
  const all = new Set([...first, ...(await allSymbols(picture))]);
  return isWhole(all) || !canScan ? all : new Set([...all, ...readByZbar(picture)]);
}

/** What ZXing reads on a page of which it is not known what is on it. */
export function allSymbols(picture: Uint8Array): Promise<ReadonlySet<string>> {
  return readByZxing(picture, { tryHarder: true });
}

async function readByZxing(picture: Uint8Array, how: ReaderOptions): Promise<ReadonlySet<string>> {
  const found = await readBarcodes(picture, { ...how, maxNumberOfSymbols: 40 });
  return new Set(found.map(({ text }) => plain(text)));
}

function readByZbar(picture: Uint8Array): readonly string[] {
  const { stdout } = spawnSync('zbarimg', ['--raw', '-q', '-'], { input: picture, encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(plain);
}

const plain = (text: string) => text.replace(/[^ -~]|[()]/g, '');
