import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import { handWrittenPdf, pdfOf } from './pdfs.js';

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 283 425] >>';
const MB = 1_000_000;
const SPACE = 0x20;

/** A stream with its dictionary; what is in it is given as it stands in the file. */
function stream(dictionary: string, bytes: Uint8Array): Buffer {
  const head = `<< ${dictionary} /Length ${bytes.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')]);
}

const ADLER_MODULUS = 65_521;

/**
 * As `deflateSync` packs so many bytes of one value, which takes seconds for a gigabyte: a megabyte is packed once and comes as often.
 * @see https://www.rfc-editor.org/rfc/rfc1950 for the head and the checksum
 */
export function deflated(megabytes: number, value = 0): Buffer {
  const part = deflateRawSync(Buffer.alloc(MB, value), { finishFlush: constants.Z_FULL_FLUSH });
  const count = BigInt(megabytes * MB);
  const sums = [count + (BigInt(value) * count * (count + 1n)) / 2n, 1n + BigInt(value) * count];
  const [high = 0, low = 0] = sums.map((sum) => Number(sum % BigInt(ADLER_MODULUS)));
  const checksum = [high >> 8, high & 0xff, low >> 8, low & 0xff];
  const lastBlock = [0x03, 0x00];
  const parts = Array<Buffer>(megabytes).fill(part);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...parts, Buffer.from([...lastBlock, ...checksum])]);
}

/** Repeats one byte 128 times for every two that it takes; then the whole is packed once more. */
function runLengths(megabytes: number): Buffer {
  return Buffer.alloc(Math.round((megabytes * MB) / 64), Buffer.from([0x81, 0x20]));
}

const OBJECT_STREAM = '/Type /ObjStm /N 1 /First 4';

async function encryptedBomb(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([283, 425]);
  const bomb = deflated(400, SPACE);
  document.context.register(document.context.stream(bomb, { Type: 'ObjStX', N: 1, First: 4, Filter: 'FlateDecode' }));
  document.encrypt({ ownerPassword: 'owner-0001', userPassword: '' });
  // Under its own name the library would not write it.
  const saved = Buffer.from(await document.save({ useObjectStreams: false }));
  return Buffer.from(saved.toString('latin1').replace('/ObjStX', '/ObjStm'), 'latin1');
}

function chain(length: number): Uint8Array {
  const first = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 283 425] /Next 4 0 R >>';
  const links = Array.from({ length }, (_none, index) => `<< /Next ${index + 5} 0 R >>`);
  return handWrittenPdf([CATALOG, PAGES, first, ...links, 'null']);
}

function pageTree(depth: number): Uint8Array {
  const branches = Array.from(
    { length: depth },
    (_none, index) => `<< /Type /Pages /Kids [${index + 3} 0 R] /Count 1 >>`,
  );
  return handWrittenPdf([CATALOG, ...branches, `<< /Type /Page /Parent ${depth + 1} 0 R /MediaBox [0 0 283 425] >>`]);
}

function repeated(text: string, megabytes: number): string {
  return text.repeat(Math.floor((megabytes * MB) / text.length));
}

/** What somebody could send to us in place of a label, each small enough to be taken. */
export const BOMBS: readonly (readonly [string, () => Promise<Uint8Array> | Uint8Array])[] = [
  ['claims 100,000 pages', () => handWrittenPdf([CATALOG, '<< /Type /Pages /Kids [3 0 R] /Count 100000 >>', 'null'])],
  [
    'has 100,000 pages, all the same one',
    () => handWrittenPdf([CATALOG, `<< /Type /Pages /Kids [${'3 0 R '.repeat(100_000)}] /Count 100000 >>`, PAGE]),
  ],
  ['has a page tree of 20,000 levels', () => pageTree(20_000)],
  [
    'has a page that is its own parent',
    () => handWrittenPdf([CATALOG, PAGES, '<< /Type /Page /Parent 3 0 R /Contents 9 0 R >>']),
  ],
  ['is made of five million brackets', () => handWrittenPdf([CATALOG, PAGES, PAGE, '['.repeat(5 * MB)])],
  ['is made of five million dictionaries', () => handWrittenPdf([CATALOG, PAGES, PAGE, repeated('<</A', 5)])],
  [
    'begins an object a million times and ends none',
    () => handWrittenPdf([CATALOG, PAGES, PAGE, repeated('\n9 0 obj [', 9)]),
  ],
  [
    'begins an object a million times, and looks encrypted',
    () => handWrittenPdf([CATALOG, PAGES, PAGE, '(/Encrypt)', repeated('\n9 0 obj [', 9)]),
  ],
  ['begins a text a million times', () => handWrittenPdf([CATALOG, PAGES, PAGE, repeated('(', 9)])],
  ['has half a million objects', () => handWrittenPdf([CATALOG, PAGES, PAGE, ...Array<string>(400_000).fill('[]')])],
  [
    'unpacks to a gigabyte',
    () => handWrittenPdf([CATALOG, PAGES, PAGE, stream(`${OBJECT_STREAM} /Filter /FlateDecode`, deflated(1_000))]),
  ],
  [
    'unpacks to a gigabyte, packed twice',
    () =>
      handWrittenPdf([
        ...[CATALOG, PAGES, PAGE],
        stream(`${OBJECT_STREAM} /Filter [/FlateDecode /FlateDecode]`, deflateSync(deflated(1_000))),
      ]),
  ],
  [
    'unpacks to half a gigabyte of run lengths',
    () =>
      handWrittenPdf([
        ...[CATALOG, PAGES, PAGE],
        stream(`${OBJECT_STREAM} /Filter [/FlateDecode /RunLengthDecode]`, deflateSync(runLengths(500))),
      ]),
  ],
  ['unpacks to 400 MB once it is decrypted', encryptedBomb],
  [
    'lists four billion objects that take no space',
    () =>
      handWrittenPdf([...[CATALOG, PAGES, PAGE], stream('/Type /XRef /Size 4294967295 /W [0 0 0]', Buffer.from('x'))]),
  ],
  [
    'promises a billion objects in one stream',
    () =>
      handWrittenPdf([CATALOG, PAGES, PAGE, stream('/Type /ObjStm /N 1000000000 /First 4', Buffer.from('1 0 2 0 '))]),
  ],
  ['hangs a chain of 200,000 objects on its page', () => chain(200_000)],
  ['is 10 MB of noise between its head and its end', noise],
];

function noiseAround(pdf: Uint8Array): Uint8Array {
  const filler = Buffer.alloc(9_900_000, Buffer.from('0123456789 x y z \n'));
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), filler, pdf]);
}

/** Takes the PDF library longer than anybody waits. */
export async function noise(): Promise<Uint8Array> {
  return noiseAround(await pdfOf({ text: 'noise' }));
}
