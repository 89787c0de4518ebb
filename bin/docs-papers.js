// Writes the pictures of printed papers in docs/images (`npm run docs:papers`), from what `npm run build` made. It needs poppler
// (apt-get install poppler-utils).
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const IMAGES = join(root, 'docs/images');
const DOTS_PER_INCH = 110;

const { drawPaper } = await import('../dist/src/papers/customs/draw-paper.js');
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

const PAPER = {
  ...{ number: '10045', date: '2030-03-04', carrierName: 'GLS', incoterms: 'DAP', currency: 'NOK' },
  sender: party(['Fjord & Fjæld Sportsudstyr ApS', 'Ærøvej 12', '8700', 'Horsens', 'DK'], {
    ...{ email: 'post@fjord.example', phone: '+4570000000' },
  }),
  recipient: party(['Åse Bjørnstad', 'Kirkegata 9', '2609', 'Lillehammer', 'NO'], {
    ...{ email: 'aase@post.example', phone: '+4790000000' },
  }),
  numbers: { eori: 'DK12345678', vat: 'DK12345678', voec: '2012345' },
  trackingNumbers: ['00370715000000012345'],
  lines: [
    goods(['Tent for two persons, polyester', 1, '1299.50', '1299.50'], [2_450, '630622', 'CN']),
    goods(['Gas stove', 2, '620.00', '1240.00'], [1_800, '732111', 'KR']),
  ],
  ...{ totalValue: '2539.50', parcels: 1, grossWeightGrams: 4_600 },
};
picture('commercial-invoice', await drawPaper({ ...PAPER, kind: 'commercial-invoice' }));
/** A letter, below the limits of a CN 22. */
const LETTER = {
  ...PAPER,
  carrierName: 'PostNord',
  lines: [
    goods(['Head torch', 1, '299.50', '299.50'], [180, '851310', 'CN']),
    goods(['Merino socks, pair', 2, '120.00', '240.00'], [190, '611594', 'PT']),
  ],
  ...{ totalValue: '539.50', parcels: 1, grossWeightGrams: 420 },
};
picture('cn22', await drawPaper({ ...LETTER, kind: 'cn22' }));
picture('cn23', await drawPaper({ ...PAPER, kind: 'cn23' }));

function party([name, street, postalCode, city, countryCode], { email, phone }) {
  const none = { careOf: null, floorBlockOrSuite: null, district: null, stateOrProvince: null };
  const contact = { name: null, email, phone, mobile: null };
  return { address: { ...none, name, street, postalCode, city, countryCode }, contact };
}

function goods([description, quantity, unitValue, value], [weightGrams, tariffNumber, origin]) {
  return { description, quantity, unitValue, value, weightGrams, tariffNumber, origin };
}

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
