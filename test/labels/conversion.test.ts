import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { convertedOrAsTheyCame } from '../../src/labels/as-they-came.js';
import { createAssembler } from '../../src/labels/assembler.js';
import type { LabelTarget } from '../../src/labels/conversion/target.js';
import { type Sketch, handWrittenPdf, label, pdfOf, readPages } from './pdfs.js';

const THERMAL: LabelTarget = { format: 'pdf', widthMm: 102, heightMm: 152, dpi: 203, sheet: null, perSheet: 1 };
const OFFICE: LabelTarget = { ...THERMAL, widthMm: null, heightMm: null, sheet: 'A4', perSheet: 4 };

const { assemble, drawPage, close } = createAssembler();
afterAll(close);

async function converted(sketches: readonly Omit<Sketch, 'text'>[], target: LabelTarget) {
  const labels = await Promise.all(
    sketches.map(async (sketch) => label(await pdfOf({ text: 'x', framed: true, ...sketch }))),
  );
  const { bytes, leftAsTheyCame, ...made } = await assemble(labels, target);
  const sizes = (await readPages(bytes)).map(({ widthMm, heightMm }) => `${widthMm} x ${heightMm}`);
  return { ...made, sizes, leftAsTheyCame };
}

describe('labels for a printer of 102 x 152 mm', () => {
  it.each<[string, Omit<Sketch, 'text'>]>([
    ['is smaller', { widthMm: 100, heightMm: 150 }],
    ['lies on its side', { widthMm: 150, heightMm: 100 }],
    ['is turned by its reader', { widthMm: 150, heightMm: 100, rotation: 90 }],
    ['is a fifth too long', { widthMm: 103, heightMm: 190 }],
    ['is small', { widthMm: 62, heightMm: 29 }],
  ])('have that size when the label %s', async (_what, sketch) => {
    const made = await converted([sketch], THERMAL);
    expect(made).toMatchObject({ format: 'pdf', pages: 1, sizes: ['102 x 152'], leftAsTheyCame: [] });
  });

  it('stay as they came where they would have to shrink below 80 %, and say so', async () => {
    const made = await converted([{}, { widthMm: 140, heightMm: 200, pages: 2 }], THERMAL);
    expect(made.sizes).toEqual(['102 x 152', '140 x 200', '140 x 200']);
    expect(made.leftAsTheyCame).toEqual([
      { position: 2, because: 'is 140 x 200 mm and would have to shrink to 72 % for 102 x 152 mm' },
    ]);
  });

  it('are as long as they need on a roll without end', async () => {
    const made = await converted([{ widthMm: 190, heightMm: 100 }, {}], { ...THERMAL, heightMm: null });
    expect(made.sizes).toEqual(['102 x 190', '102 x 150']);
  });
});

describe('a page of a label file', () => {
  const drawn = async (page: number) => {
    const { bytes } = await assemble([label(await pdfOf({ text: 'x', framed: true, rotation: 90, pages: 2 }))], null);
    return Buffer.from(await drawPage(bytes, page));
  };

  it('is drawn as a PNG that readers of pictures take, upright, twice as large as its points', async () => {
    const png = await drawn(2);
    const chunks = new Map<string, Buffer>();
    for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
      const named = png.subarray(at + 4, at + 8 + png.readUInt32BE(at));
      expect(png.readUInt32BE(at + 4 + named.length)).toBe(crc32(named));
      chunks.set(named.toString('ascii', 0, 4), named.subarray(4));
    }
    const [head, dots] = [chunks.get('IHDR'), inflateSync(chunks.get('IDAT') ?? '')];
    const size = [head?.readUInt32BE(0), head?.readUInt32BE(4)] as const;
    expect(size).toEqual([850, 567]);
    expect(dots).toHaveLength((850 + 1) * 567);
    // The number before each row is 0, which is black in it.
    const black = dots.filter((dot) => dot === 0).length - 567;
    expect([black > 1_000, black < dots.length / 2]).toEqual([true, true]);
  });
});

describe('labels for sheets', () => {
  it.each([
    [1, 5],
    [2, 3],
    [4, 2],
  ])('share a sheet, %s on each', async (perSheet, sheets) => {
    const made = await converted([{ widthMm: 100, heightMm: 140, pages: 5 }], { ...OFFICE, perSheet });
    expect(made).toMatchObject({ pages: sheets, sizes: Array(sheets).fill('210 x 297'), leftAsTheyCame: [] });
  });

  it('have a page of their own where they are too large for a place', async () => {
    const made = await converted([{}, { widthMm: 210, heightMm: 297 }, {}], OFFICE);
    expect(made.sizes).toEqual(['210 x 297', '210 x 297']);
    expect(made.leftAsTheyCame.map(({ position }) => position)).toEqual([2]);
  });
});

it('gives the same bytes again for the same labels', async () => {
  const labels = [label(await pdfOf({ text: 'again' }))];
  const [once, again] = [await assemble(labels, THERMAL), await assemble(labels, THERMAL)];
  expect(again.sha256).toBe(once.sha256);
});

/** How often a digit comes that follows these letters. */
function timesOf(letters: string): number {
  const values = [...letters].map((letter) =>
    letter < 'a' ? letter.charCodeAt(0) - 70 : (letter.charCodeAt(0) - 102) * 20,
  );
  return values.reduce((sum, value) => sum + value, 0);
}

/** Left and top of a picture, in dots, and its bytes, bytes of a row and digits. */
const PICTURES = /\^FO(\d+),(\d+)\^GFA,\d+,(\d+),(\d+),([^^]*)\^FS/g;

/** The rows of a ZPL label that is only pictures, as text of zeros and ones. */
function rowsOf(zpl: string): readonly string[] {
  const [, width, height] = /\^PW(\d+)\^LL(\d+)/.exec(zpl) ?? [];
  const rows = new Array<string>(Number(height)).fill('0'.repeat(Number(width)));
  for (const [, left, top, bytes, rowBytes, data = ''] of zpl.matchAll(PICTURES))
    for (const [y, dots] of pictureRows(data, { bytes: Number(bytes), rowBytes: Number(rowBytes) }).entries()) {
      const row = rows[Number(top) + y] ?? '';
      // The last byte of a row may go beyond the label.
      rows[Number(top) + y] = `${row.slice(0, Number(left))}${dots}${row.slice(Number(left) + dots.length)}`.slice(
        0,
        Number(width),
      );
    }
  return rows;
}

function pictureRows(data: string, { bytes, rowBytes }: { bytes: number; rowBytes: number }): readonly string[] {
  const digits = rowBytes * 2;
  const plain = data.replace(/([G-Yg-z]+)(.)/g, (_all, letters: string, digit: string) =>
    digit.repeat(timesOf(letters)),
  );
  const rows: string[] = [];
  const wholeRow = new RegExp(`:|[0-9A-F]{${digits}}|([0-9A-F]*)([,!])`, 'g');
  for (const [text, head = '', rest] of plain.matchAll(wholeRow))
    if (text === ':') rows.push(rows.at(-1) ?? '');
    else rows.push(rest === undefined ? text : head.padEnd(digits, rest === ',' ? '0' : 'F'));
  expect(rows).toHaveLength(bytes / rowBytes);
  return rows.map((hex) => [...hex].map((digit) => parseInt(digit, 16).toString(2).padStart(4, '0')).join(''));
}

/** A label of that size with nothing but pictures. */
const onlyPictures = (size: string) =>
  new RegExp(`^\\^XA${size}\\^LH0,0(?:\\^FO\\d+,\\d+\\^GFA,[^^~]*\\^FS)+\\^PQ1\\^XZ\\n$`);

describe('labels for a printer that speaks ZPL', () => {
  const ZPL: LabelTarget = { ...THERMAL, format: 'zpl' };

  it.each([
    [203, 816, 1216],
    [300, 1205, 1795],
  ] as const)('have each of their dots at its place at %s dpi', async (dpi, width, height) => {
    const labels = [label(await pdfOf({ text: 'x', framed: true, widthMm: 102, heightMm: 152 }))];
    const made = await assemble(labels, { ...ZPL, dpi });
    const zpl = Buffer.from(made.bytes).toString();
    expect(made).toMatchObject({ format: 'zpl', pages: 1, leftAsTheyCame: [] });
    expect(zpl).toMatch(onlyPictures(`\\^PW${width}\\^LL${height}`));
    const rows = rowsOf(zpl);
    expect(rows).toHaveLength(height);
    // The line around the label, and nothing else in the middle.
    expect(rows[Math.round(height / 2)]).toMatch(/^0{1,4}1{2,5}0+1{2,5}0{1,12}$/);
  });

  it('send no white beside, above, below and between their ink', async () => {
    const { bytes } = await assemble([label(await pdfOf({ text: 'x' }))], ZPL);
    const zpl = Buffer.from(bytes).toString();
    const sent = [...zpl.matchAll(PICTURES)].map(([, , , of]) => Number(of));
    expect(Math.max(...sent)).toBeLessThan(2_000);
    expect(rowsOf(zpl).some((row) => row.includes('1'))).toBe(true);
  });

  it('print a white page too', async () => {
    const { bytes } = await assemble([label(await pdfOf({ text: '' }))], ZPL);
    const zpl = Buffer.from(bytes).toString();
    expect(zpl).toMatch(onlyPictures('\\^PW816\\^LL1216'));
    expect(rowsOf(zpl).filter((row) => row.includes('1'))).toEqual([]);
  });

  it('come in their order, those in ZPL as the carrier gave them', async () => {
    const own = '^XA^PW812^FO50,50^A0N,40,40^FDfrom the carrier^FS^XZ';
    const labels = [
      label(await pdfOf({ text: 'first' })),
      label(Buffer.from(own)),
      label(await pdfOf({ text: 'last' })),
    ];
    const made = await assemble(labels, ZPL);
    const zpl = Buffer.from(made.bytes).toString();
    expect([made.pages, zpl.split('^XA').length - 1, zpl.includes(`^XZ\n${own}^XA`)]).toEqual([3, 3, true]);
  });

  it.each([
    ['stores in the printer', '^XA^DFR:FORM.ZPL^FO50,50^FDx^FS^XZ'],
    ['sets the printer up', '^XA^JUS^FO50,50^A0N,40,40^FDx^FS^XZ'],
    ['deletes from it', '^XA^IDR:*.*^FO50,50^A0N,40,40^FDx^FS^XZ'],
    ['prints a hundred', '^XA^FO50,50^A0N,40,40^FDx^FS^PQ100^XZ'],
    ['restarts the printer', '~JR^XA^FO50,50^A0N,40,40^FDx^FS^XZ'],
  ])('never come as they are in ZPL that %s', async (_what, zpl) => {
    const made = await assemble([label(Buffer.from(zpl))], ZPL).then(
      ({ bytes }) => Buffer.from(bytes).toString(),
      (error: Error) => error.message,
    );
    expect(made).toMatch(new RegExp(`${onlyPictures('\\^PW816\\^LL1216').source}|^label 1 of 1 `));
  });

  it('are a PDF where one of them would have to shrink too much', async () => {
    const labels = [{}, { widthMm: 210, heightMm: 297 }].map(async (size) =>
      pdfOf({ text: 'x', framed: true, ...size }),
    );
    const made = await assemble((await Promise.all(labels)).map(label), ZPL);
    expect(made).toMatchObject({ format: 'pdf', pages: 2, leftAsTheyCame: [{ position: 2 }] });
  });
});

/** Four rows of 48 dots. */
const PICTURE = Buffer.from('ffffffff0000000ff0000000000ff0000000000000ffffff', 'hex');

describe('a label that came in ZPL', () => {
  const ZPL: LabelTarget = { ...THERMAL, format: 'zpl' };
  const ZPL_LABEL = label(
    Buffer.from('^XA^PW816^LL1216^FO50,50^A0N,40,40^FDone^FS^XZ^XA^FO50,50^A0N,40,40^FDtwo^FS^XZ'),
  );

  it.each<[string, LabelTarget | null, readonly string[]]>([
    ['no printer is known for', null, ['102 x 152', '102 x 152']],
    ['a printer of PDF takes', THERMAL, ['102 x 152', '102 x 152']],
    ['goes on a sheet', OFFICE, ['210 x 297']],
  ])('is a PDF where %s it', async (_what, target, sizes) => {
    const made = await assemble([ZPL_LABEL], target);
    expect(made).toMatchObject({ format: 'pdf', leftAsTheyCame: [] });
    expect((await readPages(made.bytes)).map(({ widthMm, heightMm }) => `${widthMm} x ${heightMm}`)).toEqual(sizes);
  });

  it('goes to its printer byte by byte, in whatever character set it is and with pictures in bytes', async () => {
    const own = Buffer.from(
      'CT~~CD,~CC^~CT~^XA^CI27^PW816^LL1216^FO50,50^A0N,40,40^FDR\xf8dgr\xf8d^FS^FO9,9^GFB,4,4,1,\xff^~\x80^FS^PQ1,0,1,Y^XZ',
      'latin1',
    );
    const made = await assemble([label(own)], ZPL);
    expect(made).toMatchObject({ format: 'zpl', pages: 1, leftAsTheyCame: [] });
    expect(Buffer.from(made.bytes).equals(own)).toBe(true);
  });

  it.each([
    ['is too large', '^PW880^LL1320^FO0,0^GB880,1320,4^FS', ZPL],
    ['lies on its side', '^PW1216^LL816^FO0,0^GB1216,816,4^FS', ZPL],
    ['has a border that its printer cannot print', '^PW832^LL1216^FO20,0^GB780,1216,4^FS', ZPL],
    ['is for 300 dpi', '^PW1205^LL1795^FO0,0^GB1205,1795,4^FS', ZPL],
    ['is for 300 dpi, and says so by its fields alone', '^FO1100,1700^GB90,90,4^FS', ZPL],
    ['is for 203 dpi, the printer for 300', '^PW816^LL1216^FO0,0^GB816,1216,4^FS', { ...ZPL, dpi: 300 } as const],
  ])('is drawn again for its printer where it %s', async (_what, commands, target) => {
    const made = await assemble([label(Buffer.from(`^XA${commands}^XZ`))], target);
    expect(made).toMatchObject({ format: 'zpl', pages: 1, leftAsTheyCame: [] });
    const size = target.dpi === 300 ? '\\^PW1205\\^LL1795' : '\\^PW816\\^LL1216';
    expect(Buffer.from(made.bytes).toString()).toMatch(onlyPictures(size));
  });

  it.each([
    ['UTF-8', '^CI28', 'R\xc3\xb8d_'],
    ['page 1252', '^CI27', 'R\xf8d_'],
    ['page 850', '^CI13', 'R\x9bd_'],
    ['codes of page 1252', '^CI27^FH', 'R_f8d_5F'],
    ['codes after a sign of its own, in page 850', '^CI13^FH*', 'R*9Bd_'],
  ])('has the same letters as a PDF where they came in %s', async (_set, before, text) => {
    const drawn = async (zpl: string) => (await assemble([label(Buffer.from(zpl, 'latin1'))], null)).sha256;
    const field = (commands: string, data: string) => `^XA^FO50,50^A0N,40,40${commands}^FD${data}^FS^XZ`;
    const expected = await drawn(field('^CI28^FH', 'R_C3_B8d_5F'));
    expect(await drawn(field(before, text))).toBe(expected);
    expect(expected).not.toBe(await drawn(field('^CI28', 'Rd_')));
  });

  it.each([
    ['digits with their number', 'A', 'NF,I0HF,:L0!'],
    ['bytes', 'B', PICTURE.toString('latin1')],
    ['bytes in base 64', 'A', `:B64:${PICTURE.toString('base64')}:0000`],
    ['packed bytes', 'A', `:Z64:${deflateSync(PICTURE).toString('base64')}:0000`],
  ])('has the same picture as a PDF where it came as %s', async (_how, form, data) => {
    const drawn = async (picture: string) =>
      (await assemble([label(Buffer.from(`^XA^FO50,50^GF${picture}^FS^XZ`, 'latin1'))], null)).sha256;
    expect(await drawn(`${form},24,24,6,${data}`)).toBe(await drawn(`A,24,24,6,${PICTURE.toString('hex')}`));
  });

  it.each([
    ['changes what its commands begin with', '^XA^CC*^FO50,50*A0N,40,40*FDx*FS*XZ^XZ', /changes the signs/],
    ['has a picture that nothing unpacks', '^XA^FO9,9^GFC,4,4,1,abcd^FS^XZ', /packed in a way that cannot be read/],
    ['has a broken picture', '^XA^FO9,9^GFA,4,4,1,:Z64:abcd:0000^FS^XZ', /a picture that is broken/],
    ['is written in a set that nothing draws', '^XA^CI15^FO9,9^FD\xe3^FS^XZ', /the character set \^CI15/],
    ['has nothing on it', '^XA^XZ', /cannot be drawn/],
  ])('is refused with words where it %s', async (_what, zpl, words) => {
    await expect(assemble([label(Buffer.from(zpl, 'latin1'))], null)).rejects.toThrow(words);
  });
});

it('cuts a label out of the corner of its page', async () => {
  const made = await converted([{ widthMm: 210, heightMm: 297, framed: false }], THERMAL);
  expect(made).toMatchObject({ sizes: ['102 x 152'], leftAsTheyCame: [] });
});

it('refuses a label that can be read and not drawn, which a booking then prints as it came', async () => {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'];
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>';
  const form = (next: number) =>
    `<< /Type /XObject /Subtype /Form /BBox [0 0 99 99] /Length 59 /Resources << /XObject << /X ${next} 0 R >> >> >>\nstream\n${'/X Do '.repeat(10)}\nendstream`;
  const forms = Array.from({ length: 12 }, (_none, n) => form(n + 6));
  const last = '<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 10 >>\nstream\n0 0 1 1 re\nendstream';
  const bytes = handWrittenPdf([...objects, page, '<< /Length 5 >>\nstream\n/X Do\nendstream', ...forms, last]);
  const zpl = { ...THERMAL, format: 'zpl' } as const;
  await expect(assemble([label(bytes)], zpl)).rejects.toThrow(/^label 1 of 1 is b/);
  const asItCame = await convertedOrAsTheyCame(assemble, [label(bytes)], zpl);
  expect(asItCame).toMatchObject({ format: 'pdf', pages: 1, leftAsTheyCame: [{ position: 1 }] });
  await expect(convertedOrAsTheyCame(assemble, [label(Buffer.from('no label'))], zpl)).rejects.toThrow(/^label 1 of 1/);
});
