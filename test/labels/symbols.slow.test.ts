import { afterAll, describe, expect, it } from '@jest/globals';
import { LABEL_100_BY_150, type SimulatedLabel, drawLabels } from '../../carriers/toolkit/simulator/label.js';
import { createAssembler } from '../../src/labels/assembler.js';
import type { LabelTarget } from '../../src/labels/conversion/target.js';
import { label } from './pdfs.js';
import { canDraw, canScan, printed, readByZbar, readByZxing } from './read-symbols.js';
import { SYMBOLS, type Shape, TOGETHER, labelOf } from './symbols.js';

const PDF: LabelTarget = { format: 'pdf', widthMm: 102, heightMm: 152, dpi: 203, sheet: null, perSheet: 1 };
const TARGETS: readonly LabelTarget[] = [
  PDF,
  ...([203, 300] as const).map((dpi) => ({ ...PDF, format: 'zpl', dpi }) as const),
  { ...PDF, widthMm: null, heightMm: null, sheet: 'A4', perSheet: 2 },
];
const LINEAR = ['code128', 'gs1-128', 'interleaved2of5'];
/** The reader finds it upright only. */
const ALONE = ['maxicode'];

const { assemble, close } = createAssembler();
afterAll(close);

const SIMULATED: SimulatedLabel = {
  ...{ carrierName: 'Carrier', service: 'Parcel', trackingNumber: '370735230012345674', reference: '10045' },
  sender: ['Warehouse', 'Havnegade 1', '5000 Odense C'],
  recipient: ['Signe Lund', 'Birkevej 12', '5000 Odense C'],
  weightGrams: 1_200,
};

const SHAPES: readonly (readonly [string, Shape])[] = [
  ['of 100 x 150 mm', { pageMm: [100, 150] }],
  ['of 102 x 152 mm', { pageMm: [102, 152] }],
  ['of 4 x 6 inch', { pageMm: [101.6, 152.4] }],
  ['of 103 x 190 mm', { pageMm: [103, 190] }],
  ['of A6', { pageMm: [105, 148.5] }],
  ['in the corner of A5', { pageMm: [148, 210] }],
  ['in the upper left corner of A4', { pageMm: [210, 297] }],
  ['in the upper right corner of A4', { pageMm: [210, 297], at: [[108, 4]] }],
  ['in the lower right corner of A4', { pageMm: [210, 297], at: [[105, 145]] }],
  ['in the corner of a sheet of letter', { pageMm: [215.9, 279.4], at: [[5, 5]] }],
  ['on its side', { pageMm: [100, 150], turned: 90 }],
  ['upside down', { pageMm: [100, 150], turned: 180 }],
  ['on its other side, in a corner of A4', { pageMm: [210, 297], turned: 270, at: [[100, 140]] }],
  [
    'beside another one on A4',
    {
      pageMm: [297, 210],
      at: [
        [0, 0],
        [150, 0],
      ],
      kinds: LINEAR,
    },
  ],
  ['with bars of 0.25 mm', { pageMm: [100, 150], moduleMm: 0.25 }],
  ['with bars of 0.3 mm', { pageMm: [100, 150], moduleMm: 0.3 }],
  ['with bars of 0.33 mm', { pageMm: [100, 150], moduleMm: 0.33 }],
  ['with bars of 0.45 mm, longer than its printer', { pageMm: [103, 190], moduleMm: 0.45, kinds: LINEAR }],
  ['with a MaxiCode', { pageMm: [100, 150], kinds: ALONE }],
  ['with a MaxiCode, in a corner of A4', { pageMm: [210, 297], kinds: ALONE }],
];

const wordsOf = ({ format, dpi, sheet, heightMm }: LabelTarget) =>
  `${format}, ${dpi} dpi, ${sheet ?? `${heightMm} mm`}`;
const without = canDraw ? '' : ' (skipped: pdftoppm is not installed)';

describe(`symbols of a label${without}`, () => {
  it.each(canDraw ? SHAPES : [])('%s are read with the same content after every conversion', async (_what, shape) => {
    const { kinds = TOGETHER } = shape;
    const bytes = await labelOf(shape);
    const expected = SYMBOLS.filter(({ kind }) => kinds.includes(kind)).map(({ read }) => read);
    for (const target of TARGETS.filter(({ sheet }) => sheet === null || kinds !== ALONE)) {
      const png = await printed(await assemble([label(bytes)], target), target);
      const zxing = await readByZxing(png);
      const isWhole = expected.every((text) => zxing.includes(text));
      const found = new Set([...zxing, ...(isWhole || !canScan ? [] : readByZbar(png))]);
      expect({ target: wordsOf(target), found }).toEqual({ target: wordsOf(target), found: new Set(expected) });
    }
  });

  it.each(canDraw ? [LABEL_100_BY_150, { widthMm: 105, heightMm: 148 }, { widthMm: 103, heightMm: 190 }] : [])(
    'as the simulated carriers draw them, on %j, are read',
    async (page) => {
      const bytes = await drawLabels([SIMULATED], page);
      for (const target of TARGETS) {
        const png = await printed(await assemble([label(bytes)], target), target);
        const found = { target: wordsOf(target), zxing: await readByZxing(png) };
        expect(found).toEqual({ target: wordsOf(target), zxing: [SIMULATED.trackingNumber] });
      }
    },
  );
});
