import { spawnSync } from 'node:child_process';
import { ready } from 'zpl-renderer-js';

/** Whether pages can be drawn and read by programs that know nothing of us. */
export const scans = ['zbarimg', 'pdftoppm'].every((tool) => spawnSync(tool, ['-h']).error === undefined);
if (!scans) process.stderr.write('barcodes of labels: skipped, zbarimg or pdftoppm was not found on this machine\n');

/** Of A4 at 300 dpi, with room. */
const MAX_PICTURE_BYTES = 20_000_000;

/** What a scanner reads on the first page of a label in ZPL, drawn dot by dot. */
export async function readZpl(bytes: Uint8Array): Promise<readonly string[]> {
  const zpl = Buffer.from(bytes).toString('latin1');
  const [, width, height] = /\^PW(\d+)\^LL(\d+)/.exec(zpl) ?? [];
  const { api } = await ready;
  // With one dot for each mm, sizes are dots.
  const [first = ''] = await api.zplToBase64MultipleAsync(zpl, Number(width), Number(height), 1);
  return read(Buffer.from(first, 'base64'));
}

/** What a scanner reads on the first page of a PDF, from a printer of so many dots per inch. */
export function readPdf(bytes: Uint8Array, dpi: number): readonly string[] {
  return read(
    spawnSync('pdftoppm', ['-r', `${dpi}`, '-gray', '-singlefile', '-'], { input: bytes, maxBuffer: MAX_PICTURE_BYTES })
      .stdout,
  );
}

function read(image: Buffer): readonly string[] {
  const { stdout } = spawnSync('zbarimg', ['-q', '-'], { input: image, encoding: 'utf8' });
  return stdout.trim().split('\n').sort();
}
