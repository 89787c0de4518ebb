import { afterAll, describe, expect, it } from '@jest/globals';
import { carriers } from '../../carriers/index.js';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import type { BookingRequest, Label } from '../../carriers/contract/model.js';
import type { LabelForm } from '../../carriers/contract/traits.js';
import { staged, suiteOf } from '../../carriers/testing/suite.js';
import { createAssembler } from '../../src/labels/assembler.js';
import type { LabelTarget } from '../../src/labels/conversion/target.js';
import { formatOf } from '../../src/labels/label-format.js';
import { operatorFiles } from '../../src/program-files.js';
import { testHttpPort } from '../carriers/test-http-port.js';
import { label } from './pdfs.js';
import { allSymbols, canDraw, printed, readSymbols } from './read-symbols.js';
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

/** With every symbol that ZPL has and the reader finds beside others; a module is three or four dots. */
const zplOf = (dpi: 203 | 300) => {
  const [dots, module] = dpi === 203 ? [8, 3] : [11.811, 4];
  const at = (x: number, y: number) => `^FO${Math.round(x * dots)},${Math.round(y * dots)}`;
  const high = Math.round(14 * dots);
  const [code128, , itf, qr, matrix, aztec] = ZPL_TEXTS;
  return [
    `^XA^CI28^PW${Math.round(101.5 * dots)}^LL${Math.round(152 * dots)}^BY${module}`,
    `${at(8, 8)}^BCN,${high},N,N,N,A^FD${code128}^FS`,
    `${at(8, 28)}^BCN,${high},N,N,N,D^FD(00)370735230012345674^FS`,
    `${at(8, 48)}^B2N,${high},N,N,N^FD${itf}^FS`,
    `${at(10, 70)}^BQN,2,${module + 2}^FDQA,${qr}^FS`,
    `${at(50, 70)}^BXN,${module + 2},200^FD${matrix}^FS`,
    `${at(10, 105)}^BON,${module + 2}^FD${aztec}^FS`,
    `${at(8, 140)}^A0N,30,30^FDÅrhus^FS^PQ1^XZ`,
  ].join('\n');
};
const ZPL_TEXTS = [
  ...['JJD000390007812345678', '00370735230012345674', '123456789012', 'https://parcel.example/t/12'],
  ...['DM 00370735230012345679', 'AZ 00370735230012345679'],
];
const ZPL_LABELS = ([203, 300] as const).map((dpi) => [dpi, zplOf(dpi)] as const);

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

const without = canDraw ? '' : ' (skipped: pdftoppm is not installed)';
const words = ({ format, dpi, sheet, heightMm }: LabelTarget) => `${format}, ${dpi} dpi, ${sheet ?? `${heightMm} mm`}`;

/** What is read after each conversion: the same everywhere, and what was on the label. */
async function readEverywhere(
  of: Label,
  expected: ReadonlySet<string>,
  targets: readonly LabelTarget[],
): Promise<void> {
  // The same PDF is harder to read at the lower resolution.
  const [lower, higher] = [await assemble([of], PDF), await assemble([of], { ...PDF, dpi: 300 })];
  expect(higher.sha256).toBe(lower.sha256);
  for (const target of targets) {
    const made = target === PDF ? lower : await assemble([of], target);
    const found = await readSymbols(await printed(made, target), expected);
    expect({ target: words(target), found }).toEqual({ target: words(target), found: expected });
  }
}

describe(`symbols of a label${without}`, () => {
  it.each(canDraw ? SHAPES : [])('%s are read with the same content after every conversion', async (_what, shape) => {
    const { kinds = TOGETHER } = shape;
    const expected = SYMBOLS.filter(({ kind }) => kinds.includes(kind)).map(({ read }) => read);
    const targets = TARGETS.filter(({ sheet }) => sheet === null || kinds !== ALONE);
    await readEverywhere(label(await labelOf(shape)), new Set(expected), targets);
  });

  it.each(canDraw ? ZPL_LABELS : [])('in ZPL for %s dpi are read after every conversion', async (_dpi, zpl) => {
    const bytes = Buffer.from(zpl);
    await readEverywhere(label(bytes), new Set(ZPL_TEXTS), TARGETS);
  });

  it.each(canDraw ? carriers : [])(
    'as $adapter.id draws them, in each of its forms, are read after every conversion',
    async ({ adapter, simulator }) => {
      const suite = suiteOf(adapter, testHttpPort, { simulator: await simulator(), files: operatorFiles });
      const play = staged(suite, 'labels', async ({ connect }) => {
        for (const form of adapter.traits.labels) {
          const of = await labelIn(form, connect(), adapter.sample.request);
          const format = formatOf(of.bytes);
          const paper = { ...PDF, dpi: format === 'zpl' && form.dpi === 203 ? 203 : 300 } as const;
          const expected = await allSymbols(await printed({ bytes: of.bytes, format }, paper));
          expect(expected.size).toBeGreaterThan(0);
          await readEverywhere(of, expected, TARGETS);
        }
      });
      await play.run();
    },
  );
});

async function labelIn(form: LabelForm, account: CarrierAccount, ordinary: BookingRequest): Promise<Label> {
  const { booking, labels } = await account.book({ ...ordinary, labelForm: form });
  const [first] = labels.length > 0 ? labels : ((await account.fetchLabels?.(booking, form)) ?? []);
  if (first === undefined) throw new Error('there is no label');
  return first;
}
