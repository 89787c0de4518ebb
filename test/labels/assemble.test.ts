import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { LabelUnusable } from '../../src/labels/label-unusable.js';
import { assembleLabels } from '../../src/labels/assemble.js';
import { encryptedPdf, handWrittenPdf, label, pdfOf, readPages } from './pdfs.js';

describe('labels that are fine', () => {
  it('come as one PDF in the given order, each page at its own size and rotation', async () => {
    const assembled = await assembleLabels([
      label(await pdfOf({ text: 'first', widthMm: 100, heightMm: 190 })),
      label(await pdfOf({ text: 'second', widthMm: 210, heightMm: 297, pages: 2, rotation: 90 })),
      label(await pdfOf({ text: 'third', widthMm: 62, heightMm: 29 })),
    ]);
    expect(assembled.pages).toBe(4);
    await expect(readPages(assembled.bytes)).resolves.toEqual([
      { widthMm: 100, heightMm: 190, rotation: 0, text: 'first' },
      { widthMm: 210, heightMm: 297, rotation: 90, text: 'second/1' },
      { widthMm: 210, heightMm: 297, rotation: 90, text: 'second/2' },
      { widthMm: 62, heightMm: 29, rotation: 0, text: 'third' },
    ]);
  });

  it('come with the digest of their bytes, the same on every repetition', async () => {
    const labels = [label(await pdfOf({ text: 'a' })), label(await pdfOf({ text: 'b' }))];
    const [once, again] = [await assembleLabels(labels), await assembleLabels(labels)];
    expect(once.sha256).toBe(createHash('sha256').update(once.bytes).digest('hex'));
    expect(again.sha256).toBe(once.sha256);
  });

  it('come with one page only, where one of several parcels is asked for', async () => {
    const all = label(await pdfOf({ text: 'all', pages: 3 }));
    const { bytes, pages } = await assembleLabels([{ ...all, only: { place: 1, of: 3 } }]);
    expect([pages, (await readPages(bytes)).map(({ text }) => text)]).toEqual([1, ['all/2']]);
    await expect(assembleLabels([{ ...all, only: { place: 1, of: 2 } }])).rejects.toThrow(
      'label 1 of 1 has 3 pages for 2 parcels: which is whose cannot be told',
    );
  });

  it('may be the same label twice', async () => {
    const twice = label(await pdfOf({ text: 'twice' }));
    await expect(assembleLabels([twice, twice])).resolves.toMatchObject({ pages: 2 });
  });

  it('pass through byte by byte when there is one only', async () => {
    const bytes = await pdfOf({ text: 'alone', pages: 2 });
    const assembled = await assembleLabels([label(bytes)]);
    expect(Buffer.compare(assembled.bytes, bytes)).toBe(0);
    expect(assembled.pages).toBe(2);
  });

  it.each([1, 2])('lose a protection that asks for no password (%s of them)', async (count) => {
    const guarded = label(await encryptedPdf({ text: 'guarded' }, ''));
    const assembled = await assembleLabels(Array.from({ length: count }, () => guarded));
    expect((await readPages(assembled.bytes)).map((page) => page.text)).toEqual(Array(count).fill('guarded'));
  });
});

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 283 425] /Contents 4 0 R >>';

function packed(bytes: number): Buffer {
  const data = deflateSync(Buffer.alloc(bytes));
  const head = `<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${data.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), data, Buffer.from('\nendstream')]);
}

describe('a label that no printer can use', () => {
  it.each<[string, () => Promise<Uint8Array> | Uint8Array, RegExp]>([
    ['empty', () => new Uint8Array(), /is not a PDF/],
    ['a web page', () => Buffer.from('<html>please sign in</html>'), /is not a PDF/],
    ['a label in another format', () => Buffer.from('N\nA50,50,0,4,1,1,N,"label"\nP1\n'), /is not a PDF/],
    ['cut short in ZPL', () => Buffer.from('^XA^FO50,50^A0N,40,40^FDlab'), /cut short/],
    ['ZPL with a picture of two gigabytes', () => Buffer.from('^XA^GFA,2000000000,2000000000,100,FF^FS^XZ'), /picture/],
    ['ZPL of 501 labels', () => Buffer.from('^XA^XZ'.repeat(501)), /more than 500 pages/],
    ['ZPL as large as a wall', () => Buffer.from('^XA^PW32000^LL32000^FDlabel^FS^XZ'), /is too large/],
    ['cut in half', async () => (await pdfOf({ text: 'half' })).subarray(0, 400), /cut short/],
    ['cut at its very end', async () => (await pdfOf({ text: 'end' })).subarray(0, -8), /cut short/],
    ['nothing but a head and an end', () => Buffer.from('%PDF-1.7\n%%EOF\n'), /broken/],
    ['damaged inside', () => handWrittenPdf([CATALOG, PAGES, '<< /Type /Page /Parent']), /broken/],
    ['a page without what it should show', () => handWrittenPdf([CATALOG, PAGES, PAGE]), /page 1 is empty/],
    ['locked with a password', () => encryptedPdf({ text: 'locked' }, 'user-0001'), /encrypted and cannot be opened/],
    ['without pages', () => handWrittenPdf([CATALOG, '<< /Type /Pages /Kids [] /Count 0 >>']), /no pages/],
    ['of 501 pages', () => pdfOf({ text: 'many', pages: 501 }), /more than 500 pages/],
    ['larger than 10 MB', () => Buffer.alloc(10_000_001), /larger than 10 MB/],
    ['too narrow', () => pdfOf({ text: 'narrow', widthMm: 4 }), /page of 4 x 150 mm/],
    ['too long', () => pdfOf({ text: 'long', heightMm: 2_100 }), /page of 100 x 2100 mm/],
    ['a bomb', () => handWrittenPdf([CATALOG, PAGES, packed(101_000_000)]), /too large when it is unpacked/],
    [
      'a page tree that contains itself',
      () => handWrittenPdf([CATALOG, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>']),
      /more than 500 pages/,
    ],
  ])('is refused when it is %s', async (_case, broken, words) => {
    const labels = [label(await pdfOf({ text: 'fine' })), label(await broken())];
    const refusal = assembleLabels(labels);
    await expect(refusal).rejects.toThrow(LabelUnusable);
    await expect(refusal).rejects.toThrow(/^label 2 of 2 /);
    await expect(refusal).rejects.toThrow(words);
    await expect(refusal).rejects.toMatchObject({ position: 2 });
  });

  it('is refused also when it is alone', async () => {
    await expect(assembleLabels([label(Buffer.from('nothing'))])).rejects.toThrow('label 1 of 1 is not a PDF');
  });
});

describe('labels that are too much together', () => {
  it('are refused beyond 500 pages', async () => {
    const half = label(await pdfOf({ text: 'half', pages: 251 }));
    const refusal = assembleLabels([half, half]);
    await expect(refusal).rejects.toThrow('together have more than 500 pages');
    await expect(refusal).rejects.toMatchObject({ position: null });
  });

  it('are refused beyond 50 MB', async () => {
    const large = label(Buffer.alloc(9_000_000));
    await expect(assembleLabels(Array.from({ length: 6 }, () => large))).rejects.toThrow('larger than 50 MB');
  });
});
