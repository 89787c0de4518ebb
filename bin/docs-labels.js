// Writes the pictures of labels for each profile of docs/printing.md in docs/images (`npm run docs:labels`), from what `npm run build`
// made. It needs poppler (apt-get install poppler-utils).
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PDFDocument, rgb } from 'pdf-lib';

const IMAGES = fileURLToPath(new URL('../docs/images', import.meta.url));
const DOTS_PER_INCH = 60;
const POINTS_PER_MM = 72 / 25.4;

const { LABEL_100_BY_150, drawLabels } = await import('../dist/carriers/toolkit/simulator/label.js');
const { assembleLabels } = await import('../dist/src/labels/assemble.js');
const { drawZpl } = await import('../dist/src/labels/conversion/zpl/draw-zpl.js');

const ONE = { widthMm: null, heightMm: null, dpi: 203, sheet: null, perSheet: 1 };
const PROFILES = {
  thermal: { ...ONE, format: 'zpl', widthMm: 102, heightMm: 152 },
  long: { ...ONE, format: 'pdf', widthMm: 103, heightMm: 190 },
  office: { ...ONE, format: 'pdf', sheet: 'A4', perSheet: 4 },
};

const NUMBERS = ['370735230012345674', '370735230012345681', '370735230012345698'];
const labels = await inCorners();
mkdirSync(IMAGES, { recursive: true });
write('label-as-it-came', await framed(labels[0].bytes));
for (const [name, target] of Object.entries(PROFILES)) {
  const { bytes, format } = await assembleLabels(labels, target);
  write(`label-${name}`, await framed(format === 'pdf' ? bytes : await drawnFirst(bytes)));
}

/** As many carriers give them: each on A4, with the rest of the page empty. */
async function inCorners() {
  const sender = ['Warehouse', 'Havnegade 1', '5000 Odense C'];
  const recipient = ['Signe Lund', 'Birkevej 12', '5000 Odense C'];
  const facts = { carrierName: 'Carrier', service: 'Parcel', reference: '10045', weightGrams: 1_200 };
  const drawn = await drawLabels(
    NUMBERS.map((trackingNumber) => ({ ...facts, trackingNumber, sender, recipient })),
    LABEL_100_BY_150,
  );
  return Promise.all(NUMBERS.map((_number, place) => inACorner(drawn, place)));
}

async function inACorner(drawn, place) {
  const sheet = await PDFDocument.create();
  const page = sheet.addPage([210 * POINTS_PER_MM, 297 * POINTS_PER_MM]);
  const [label] = await sheet.embedPdf(drawn, [place]);
  page.drawPage(label, { x: 0, y: page.getHeight() - label.height });
  return { format: 'pdf', bytes: await sheet.save() };
}

/** The first label of a file in ZPL, as its printer draws it, on paper of its size. */
async function drawnFirst(zpl) {
  const text = Buffer.from(zpl).toString('latin1');
  const [width, height] = ['PW', 'LL'].map((side) => Number(new RegExp(`\\^${side}(\\d+)`).exec(text)[1]));
  const [first] = await drawZpl(text, { width, height });
  const paper = await PDFDocument.create();
  const size = { width: (width / 8) * POINTS_PER_MM, height: (height / 8) * POINTS_PER_MM };
  paper.addPage([size.width, size.height]).drawImage(await paper.embedPng(first), size);
  return paper.save();
}

/** With a line where the paper ends. */
async function framed(pdf) {
  const document = await PDFDocument.load(pdf);
  const page = document.getPage(0);
  const [width, height] = [page.getWidth() - 1, page.getHeight() - 1];
  page.drawRectangle({ x: 0.5, y: 0.5, width, height, borderWidth: 1, borderColor: rgb(0.6, 0.6, 0.6) });
  return document.save();
}

/** The first page as a picture. */
function write(name, pdf) {
  const { stdout, error } = spawnSync('pdftoppm', ['-png', '-r', String(DOTS_PER_INCH), '-singlefile', '-'], {
    ...{ input: pdf, maxBuffer: 10_000_000 },
  });
  if (error) throw new Error('pdftoppm is missing: apt-get install poppler-utils', { cause: error });
  writeFileSync(join(IMAGES, `${name}.png`), stdout);
  process.stdout.write(`docs/images/${name}.png, ${stdout.length} bytes\n`);
}
