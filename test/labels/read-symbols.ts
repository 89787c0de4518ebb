import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ready } from 'zpl-renderer-js';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm';
import type { AssembledLabels } from '../../src/labels/assemble.js';
import { type LabelTarget, dotsPerMm } from '../../src/labels/conversion/target.js';

const MM_PER_INCH = 25.4;
/** Lines of a PDF have no dots before a printer draws them. */
const SHARP_DPI = 300;
const has = (command: string) => spawnSync(command, ['--version']).error === undefined;

/** Whether pages can be drawn and read by programs that know nothing of us. */
export const canDraw = has('pdftoppm');
export const canScan = has('zbarimg');

const { resolve } = createRequire(`${process.cwd()}/package.json`);
void prepareZXingModule({
  overrides: { wasmBinary: new Uint8Array(readFileSync(resolve('zxing-wasm/full/zxing_full.wasm'))).buffer },
});

/** The first page as a printer puts it on paper, as PNG. */
export async function printed({ bytes, format }: AssembledLabels, { dpi }: LabelTarget): Promise<Uint8Array> {
  if (format === 'pdf') return drawnPdf(bytes, Math.max(dotsPerMm(dpi) * MM_PER_INCH, SHARP_DPI));
  const zpl = Buffer.from(bytes).toString();
  const [, width, height] = /\^PW(\d+)\^LL(\d+)/.exec(zpl) ?? [];
  const { api } = await ready;
  // With one dot for each mm, sizes are dots.
  const [first = ''] = await api.zplToBase64MultipleAsync(zpl, Number(width), Number(height), 1);
  return Buffer.from(first, 'base64');
}

function drawnPdf(pdf: Uint8Array, dpi: number): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-symbols-'));
  try {
    const page = join(folder, 'page');
    writeFileSync(`${page}.pdf`, pdf);
    execFileSync('pdftoppm', ['-r', String(dpi), '-gray', '-png', '-singlefile', `${page}.pdf`, page]);
    return readFileSync(`${page}.png`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What ZXing reads, without control characters and brackets, in no order. */
export async function readByZxing(png: Uint8Array): Promise<readonly string[]> {
  const found = await readBarcodes(png, { tryHarder: true, maxNumberOfSymbols: 40 });
  return found.map(({ text }) => plain(text)).sort();
}

/** What zbar reads: linear symbols and QR codes. */
export function readByZbar(png: Uint8Array): readonly string[] {
  const { stdout } = spawnSync('zbarimg', ['--raw', '-q', '-'], { input: png, encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(plain).sort();
}

const plain = (text: string) => text.replace(/[^ -~]|[()]/g, '');
