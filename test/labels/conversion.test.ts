import { describe, expect, it } from '@jest/globals';
import { assembleLabels } from '../../src/labels/assemble.js';
import type { LabelTarget } from '../../src/labels/conversion/target.js';
import { type Sketch, label, pdfOf, readPages } from './pdfs.js';

const THERMAL: LabelTarget = { format: 'pdf', widthMm: 102, heightMm: 152, dpi: 203, sheet: null, perSheet: 1 };
const OFFICE: LabelTarget = { ...THERMAL, widthMm: null, heightMm: null, sheet: 'A4', perSheet: 4 };

async function converted(sketches: readonly Omit<Sketch, 'text'>[], target: LabelTarget) {
  const labels = await Promise.all(sketches.map(async (sketch) => label(await pdfOf({ text: 'x', ...sketch }))));
  const { bytes, leftAsTheyCame, ...made } = await assembleLabels(labels, target);
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
  const [once, again] = [await assembleLabels(labels, THERMAL), await assembleLabels(labels, THERMAL)];
  expect(again.sha256).toBe(once.sha256);
});
