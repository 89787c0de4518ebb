import { afterAll, describe, expect, it } from '@jest/globals';
import { createAssembler } from '../../src/labels/assembler.js';
import type { LabelTarget } from '../../src/labels/conversion/target.js';
import { label, readPages } from './pdfs.js';

const ZPL: LabelTarget = { format: 'zpl', widthMm: 102, heightMm: 152, dpi: 203, sheet: null, perSheet: 1 };
const PDF: LabelTarget = { ...ZPL, format: 'pdf' };

const { assemble, close } = createAssembler();
afterAll(close);

const zplOf = (commands: string) => label(Buffer.from(`^XA^PW816^LL1216${commands}^XZ`, 'latin1'));
const pdfOf = async (commands: string) => (await assemble([zplOf(commands)], null)).sha256;

describe('a part of a label that the program which draws ZPL leaves out', () => {
  const PARTS = [
    ['Code 93', '^FO50,50^BAN,80^FDABC123^FS', '^BA'],
    ['GS1 DataBar', '^FO50,50^BRN,1,4^FD12345678901^FS', '^BR'],
    ['UPC-A', '^FO50,50^BUN,80^FD12345678901^FS', '^BU'],
    ['Codabar', '^FO50,50^BKN,N,80^FD123456^FS', '^BK'],
    ['an ellipse', '^FO50,50^GE100,50,3^FS', '^GE'],
    ['a picture that is stored in a printer', '^FO50,50^XGE:LOGO.GRF,1,1^FS', '^XG'],
    ['a form that is stored in a printer', '^XFE:FORM.ZPL^FS', '^XF'],
    ['lengths in millimetres', '^MUM^FO5,5^A0N,5,5^FDx^FS', '^MU'],
  ] as const;

  it.each(PARTS)('is told, and no PDF is made without it: %s', async (_what, commands, code) => {
    const words = `label 1 of 1 has a part (${code}) that only a label printer can draw`;
    for (const target of [null, PDF, { ...ZPL, dpi: 300 } as const])
      await expect(assemble([zplOf(commands)], target)).rejects.toThrow(words);
  });

  it('goes to the printer that draws it', async () => {
    const own = zplOf('^FO50,50^BAN,80^FDABC123^FS');
    expect(Buffer.from((await assemble([own], ZPL)).bytes).equals(own.bytes)).toBe(true);
  });

  it('is told where the label does not fit its printer, or another one makes the file a PDF', async () => {
    const large = label(Buffer.from('^XA^PW880^LL1320^FO0,0^GB880,1320,4^FS^FO50,50^BAN,80^FDABC123^FS^XZ'));
    await expect(assemble([large], ZPL)).rejects.toThrow('label 1 of 1 has a part (^BA)');
    const larger = label(Buffer.from('^XA^PW816^LL3000^FO0,0^GB816,3000,4^FS^XZ'));
    await expect(assemble([larger, zplOf('^FO50,50^BAN,80^FDABC123^FS')], ZPL)).rejects.toThrow(
      'label 2 of 2 has a part (^BA)',
    );
  });
});

describe('a label in ZPL is drawn as its printer draws it', () => {
  const text = (commands: string) => `^FO50,50^A0N,40,40${commands}^FS`;

  it.each([
    ['a field with a number and data', text('^FN1"which"^FDhello'), text('^FDhello')],
    ['a field that counts', text('^SNhello,1,Y'), text('^FDhello')],
    ['a field that nothing ends', '^FO50,50^A0N,40,40^FDhello', text('^FDhello')],
    ['Aztec by its other name', '^FO50,50^B0N,6^FDhello^FS', '^FO50,50^BON,6^FDhello^FS'],
    [
      'a picture by its other name',
      '~DGR:A.GRF,8,1,FF818181818181FF^FO50,50^IMR:A.GRF^FS',
      '^FO50,50^GFA,8,8,1,FF818181818181FF^FS',
    ],
    ['a block of text', text('^TBN,150,300^FDhello to all of the world'), text('^FB150,7^FDhello to all of the world')],
  ])('with %s', async (_what, commands, same) => {
    const [drawn, expected] = [await pdfOf(commands), await pdfOf(same)];
    expect(drawn).toBe(expected);
    expect(drawn).not.toBe(await pdfOf('^FO700,1100^GB9,9,9^FS'));
  });

  it.each([
    ['names no length', '', '^FO50,1500^A0N,40,40^FDbelow^FS'],
    ['names a shorter one', '^LL800', '^FO50,1500^A0N,40,40^FDbelow^FS'],
    ['has its home lower', '^LL1216^LH0,900', '^FO50,600^A0N,40,40^FDbelow^FS'],
  ])('with what stands lower than its end, where it %s', async (_what, before, field) => {
    const drawn = async (commands: string) => assemble([label(Buffer.from(`^XA^PW816${commands}^XZ`))], null);
    const { bytes, sha256 } = await drawn(`${before}^FO50,50^GB700,5,5^FS${field}`);
    expect((await readPages(bytes))[0]?.heightMm).toBeGreaterThan(190);
    expect(sha256).not.toBe((await drawn(`${before}^FO50,50^GB700,5,5^FS${field.replace('below', ' ')}`)).sha256);
  });

  it('each as long as the longest of its file', async () => {
    const two = '^XA^PW816^LL800^FO9,9^GB99,99,9^FS^XZ^XA^PW816^LL1216^FO9,1000^GB99,99,9^FS^XZ';
    const pages = await readPages((await assemble([label(Buffer.from(two))], null)).bytes);
    expect(pages.map(({ heightMm }) => heightMm)).toEqual([152, 152]);
  });
});

it.each([
  ['inverts what is printed after it', '^LRY'],
  ['turns what is printed after it', '^FWR'],
])('leaves no setting in the printer that %s', async (_what, command) => {
  const made = await assemble([zplOf(`${command}^FO50,50^GB200,200,9^FS`)], ZPL);
  expect(Buffer.from(made.bytes).toString()).toMatch(
    /^\^XA\^PW816\^LL1216\^LH0,0(?:\^FO\d+,\d+\^GFA,[^^~]*\^FS)+\^PQ1\^XZ\n$/,
  );
});
