// Writes the pictures of printed papers in docs/images (`npm run docs:papers`), from what `npm run build` made. It needs poppler
// (apt-get install poppler-utils).
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const IMAGES = join(root, 'docs/images');
const DOTS_PER_INCH = 110;

const { drawErrorSheet } = await import('../dist/src/papers/error-sheet.js');

mkdirSync(IMAGES, { recursive: true });
picture(
  'error-sheet',
  await drawErrorSheet({
    ...{ widthMm: 102, heightMm: 152 },
    notALabel: 'This is not a label. Do not put it on a parcel.',
    shipment: { title: 'Shipment', number: '10045' },
    barcode: '10045',
    messages: [
      'Could not book shipment 10045 with Bring. Bring says: "The postal code 41199 does not exist in SE". Correct the shipment, and create the transport booking again.',
    ],
  }),
);

/** The first page as a picture. */
function picture(name, pdf) {
  const { stdout, error } = spawnSync('pdftoppm', ['-png', '-r', String(DOTS_PER_INCH), '-singlefile', '-'], {
    input: pdf,
    maxBuffer: 10_000_000,
  });
  if (error) throw new Error('pdftoppm is missing: apt-get install poppler-utils', { cause: error });
  writeFileSync(join(IMAGES, `${name}.png`), stdout);
  process.stdout.write(`docs/images/${name}.png, ${stdout.length} bytes\n`);
}
