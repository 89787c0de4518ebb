import { deflateSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import { deflated } from './bombs.js';
import { handWrittenPdf, pdfOf } from './pdfs.js';

const MB = 1_000_000;
const zpl = (text: string) => Buffer.from(text, 'latin1');
const field = (commands: string) => zpl(`^XA^FO0,0${commands}^FS^XZ`);

/** Of one page, on the paper of a label. */
interface Content {
  readonly resources?: string;
  readonly content: string;
  readonly packed?: boolean;
}

function page({ resources = '', content, packed }: Content, ...more: readonly (string | Buffer)[]): Uint8Array {
  return handWrittenPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 283 425] /Contents 4 0 R /Resources << ${resources} >> >>`,
    packed ? stream('/Filter /FlateDecode', deflateSync(content)) : stream('', Buffer.from(content)),
    ...more,
  ]);
}

function stream(dictionary: string, bytes: Uint8Array): Buffer {
  const head = `<< ${dictionary} /Length ${bytes.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')]);
}

const FONT = '<< /Type /Font /Subtype /TrueType /BaseFont /Label /FirstChar 0 /LastChar 255';

/** Glyphs that are drawn by text in their own font, without end. */
function endlessFont(): Uint8Array {
  const glyph = 'BT /F 9 Tf (aaaaaaaaaa) Tj ET';
  return page(
    { resources: '/Font << /F 5 0 R >>', content: glyph },
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 6 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] /Resources << /Font << /F 5 0 R >> >> >>`,
    stream('', Buffer.from(`1 0 d0 ${glyph}`)),
  );
}

function manyFonts(count: number): Uint8Array {
  const names = Array.from({ length: count }, (_none, n) => `/F${n} ${n + 5} 0 R`);
  const content = names.map((_name, n) => `BT /F${n} 9 Tf (x) Tj ET`).join(' ');
  const fonts = names.map(() => `${FONT} /Widths [${'9 '.repeat(256)}] >>`);
  return page({ resources: `/Font << ${names.join(' ')} >>`, content }, ...fonts);
}

/** A font whose program unpacks to many times its size. */
function hugeFont(megabytes: number): Uint8Array {
  const program = stream(`/Filter /FlateDecode /Length1 ${megabytes * MB}`, deflateSync(Buffer.alloc(megabytes * MB)));
  return page(
    { resources: '/Font << /F 5 0 R >>', content: 'BT /F 9 Tf (label) Tj ET' },
    `${FONT} /Widths [${'9 '.repeat(256)}] /FontDescriptor 6 0 R >>`,
    '<< /Type /FontDescriptor /FontName /Label /Flags 4 /FontBBox [0 0 9 9] /FontFile2 7 0 R >>',
    program,
  );
}

function picture(side: number): Uint8Array {
  const rows = Buffer.alloc(Math.ceil(side / 8) * Math.min(side, 8_000));
  return page(
    { resources: '/XObject << /I 5 0 R >>', content: '283 0 0 425 0 0 cm /I Do' },
    stream(
      `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /FlateDecode`,
      deflateSync(rows),
    ),
  );
}

function tiles(): Uint8Array {
  return page(
    { resources: '/Pattern << /P 5 0 R >>', content: '/Pattern cs /P scn 0 0 283 425 re f' },
    stream(
      '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.001 /YStep 0.001 /Resources << >>',
      Buffer.from('0 0 1 1 re f'),
    ),
  );
}

async function manyPages(count: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let n = 0; n < count; n += 1) document.addPage([283, 425]).drawText(`${n}`, { x: 20, y: 20, size: 20 });
  return document.save();
}

/** Labels that cost much only when they are drawn, each small enough to be taken. */
export const DRAWN_BOMBS: readonly (readonly [string, () => Promise<Uint8Array> | Uint8Array])[] = [
  ['is ZPL with a picture that claims four gigabytes', () => field('^GFA,4294967295,4294967295,100,FF')],
  ['is ZPL with a picture whose digits come a billion times', () => field(`^GFA,9000,9000,90,${'z'.repeat(9 * MB)}F`)],
  [
    'is ZPL with a picture whose rows come nine million times',
    () => field(`^GFA,9000,9000,4500000,F,${':'.repeat(9 * MB)}`),
  ],
  [
    'is ZPL with a picture that unpacks to a gigabyte',
    () => field(`^GFA,9000,9000,90,:Z64:${deflated(1_000).toString('base64')}:0000`),
  ],
  [
    'is ZPL with two thousand empty pictures of 4 MB',
    () => zpl(`^XA${'^FO0,0^GFA,4000000,4000000,1000,,^FS'.repeat(2_000)}^XZ`),
  ],
  [
    'is ZPL with a stored picture that claims four gigabytes',
    () => zpl('~DGR:A.GRF,4294967295,100,FF^XA^FO0,0^XGR:A.GRF^FS^XZ'),
  ],
  ['is ZPL with five thousand labels', () => zpl('^XA^FO9,9^A0N,40,40^FDx^FS^XZ'.repeat(5_000))],
  ['is ZPL with 500 labels', () => zpl('^XA^FO9,9^A0N,40,40^FDx^FS^XZ'.repeat(500))],
  ['is ZPL made of five million commands', () => zpl(`^XA${'^A'.repeat(4.9 * MB)}^XZ`)],
  ['is ZPL with letters as high as a house', () => field(`^A0N,32000,32000^FD${'W'.repeat(20_000)}`)],
  ['is ZPL with nine megabytes of text', () => field(`^FB9999,9999^A0N,9,9^FD${'W '.repeat(4.5 * MB)}`)],
  ['is ZPL with 20,000 inverted fields', () => zpl(`^XA${'^FO0,0^FR^GB800,1200,600^FS'.repeat(20_000)}^XZ`)],
  ['is ZPL of 99,999 x 99,999 dots', () => zpl('^XA^PW99999^LL99999^FO9,9^FDx^FS^XZ')],
  [
    'is ZPL with a form that recalls itself',
    () => zpl('^XA^DFR:A.ZPL^FO9,9^FDx^FS^XFR:A.ZPL^FS^XZ^XA^XFR:A.ZPL^FS^XZ'),
  ],
  [
    'is ZPL with barcodes of a megabyte',
    () => field(`^B7N,9,9^FD${'1'.repeat(MB)}^FS^FO0,0^BQN,2,9^FD${'1'.repeat(MB)}`),
  ],
  ['has a font that is drawn with itself', endlessFont],
  ['has 2,000 fonts', () => manyFonts(2_000)],
  ['has a font of 60 MB', () => hugeFont(60)],
  ['has a picture of 60,000 x 60,000 dots', () => picture(60_000)],
  ['has a pattern of a billion tiles', tiles],
  ['draws a million lines', () => page({ content: '0 0 m 283 425 l S '.repeat(MB / 2) })],
  ['has 499 pages', () => manyPages(499)],
  ['has 501 pages', () => manyPages(501)],
  ['has a page of two by two metres', () => pdfOf({ text: 'x', framed: true, widthMm: 2_000, heightMm: 2_000 })],
  ['unpacks its content to 50 MB', () => page({ content: '0 0 9 9 re f '.repeat(4 * MB), packed: true })],
];
