import { afterAll, describe, expect, it } from '@jest/globals';
import { PDFArray, PDFDict, PDFDocument, PDFName } from 'pdf-lib';
import { createAssembler } from '../../src/labels/assembler.js';
import type { LabelTarget } from '../../src/labels/conversion/target.js';
import { handWrittenPdf, label, pdfOf } from './pdfs.js';

const ZPL: LabelTarget = { format: 'zpl', widthMm: 102, heightMm: 152, dpi: 203, sheet: null, perSheet: 1 };

const { assemble, close } = createAssembler();
afterAll(close);

/** A page with a bar, and a larger one in a layer. */
function layered(properties: string, layer = '/OC /Layer BDC 50 50 150 150 re f EMC') {
  const content = `20 300 200 20 re f ${layer}`;
  return label(
    handWrittenPdf([
      `<< /Type /Catalog /Pages 2 0 R ${properties} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 283 425] /Contents 4 0 R /Resources << /Properties << /Layer 5 0 R >> >> >>',
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      '<< /Type /OCG /Name (SPECIMEN) >>',
    ]),
  );
}

const OFF = '/OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] >> >>';

describe('a layer of a label', () => {
  const as = async (one: ReturnType<typeof layered>) => (await assemble([one], ZPL)).sha256;

  it.each([
    ['by its name', OFF],
    ['because all are', '/OCProperties << /OCGs [5 0 R] /D << /BaseState /OFF >> >>'],
  ])('that is hidden %s stays hidden where the label is drawn again', async (_how, properties) => {
    expect(await as(layered(properties))).toBe(await as(layered(properties, '')));
  });

  it.each([
    ['nothing hides', ''],
    ['is shown', '/OCProperties << /OCGs [5 0 R] /D << >> >>'],
    ['is shown while all others are hidden', '/OCProperties << /OCGs [5 0 R] /D << /BaseState /OFF /ON [5 0 R] >> >>'],
  ])('that %s is drawn', async (_what, properties) => {
    expect(await as(layered(properties))).not.toBe(await as(layered(properties, '')));
  });

  it('that is hidden stays hidden where the label is one of several', async () => {
    const { bytes } = await assemble([label(await pdfOf({ text: 'x' })), layered(OFF)], null);
    const { catalog, context } = await PDFDocument.load(bytes);
    const settings = catalog.lookup(PDFName.of('OCProperties'), PDFDict).lookup(PDFName.of('D'), PDFDict);
    const [hidden] = settings.lookup(PDFName.of('OFF'), PDFArray).asArray();
    expect(String(context.lookup(hidden))).toMatch(/^<<\s*\/Type \/OCG\s+\/Name \(SPECIMEN\)\s*>>$/);
  });
});
