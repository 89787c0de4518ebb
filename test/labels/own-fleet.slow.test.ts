import { afterAll, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { OwnFleetConfig } from '../../carriers/own-fleet/config.js';
import { ownFleet } from '../../carriers/own-fleet/index.js';
import { trackingNumbers } from '../../carriers/testing/assertions.js';
import { numbersInMemory } from '../../carriers/testing/numbers-in-memory.js';
import { createAssembler } from '../../src/labels/assembler.js';
import type { LabelTarget } from '../../src/labels/conversion/target.js';
import { operatorFiles } from '../../src/program-files.js';
import { TEST_NOW, bookingRequest } from '../carriers/sample-request.js';
import { testHttpPort } from '../carriers/test-http-port.js';
import { readPdf, readZpl, scans } from './zbar.js';

const { assemble, draw, close } = createAssembler();
afterAll(close);

const THERMAL: LabelTarget = { format: 'zpl', widthMm: 102, heightMm: 152, dpi: 203, sheet: null, perSheet: 1 };
const OFFICE: LabelTarget = { ...THERMAL, format: 'pdf', widthMm: null, heightMm: null, sheet: 'A4', perSheet: 4 };

/** Two labels, drawn as the running service has them drawn. */
async function twoLabels() {
  const tools = { http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: ownFleet.baseUrl };
  const ours = { files: operatorFiles, numbers: numbersInMemory(), labels: { draw } };
  const config = plainToInstance(OwnFleetConfig, { companyPrefix: '9521234' }, { exposeDefaultValues: true });
  const { booking, labels } = await ownFleet.connect(config, { ...tools, ...ours }).book(bookingRequest());
  return { labels, numbers: trackingNumbers(booking) };
}

const shown = (number: string | undefined) => [
  expect.stringContaining(`CODE-128:00${number}`),
  expect.stringMatching(/^CODE-128:420\d{4}.?4019521234/),
];
const without = scans ? '' : ' (skipped: no zbarimg)';

describe('labels of own-fleet', () => {
  (scans ? it.each : it.skip.each)([203, 300, 600] as const)(
    `are read by a scanner as ZPL for %d dpi${without}`,
    async (dpi) => {
      const { labels, numbers } = await twoLabels();
      const made = await assemble(labels, { ...THERMAL, dpi });
      expect(made).toMatchObject({ format: 'zpl', pages: 2, leftAsTheyCame: [] });
      expect(await readZpl(made.bytes)).toEqual(shown(numbers[0]));
    },
  );

  (scans ? it : it.skip)(`are read by a scanner where they share a sheet of A4${without}`, async () => {
    const { labels, numbers } = await twoLabels();
    const made = await assemble(labels, OFFICE);
    expect(made).toMatchObject({ format: 'pdf', pages: 1, leftAsTheyCame: [] });
    const [first, second, ...others] = readPdf(made.bytes, 300);
    expect([first, second]).toEqual(numbers.map((number) => `CODE-128:00${number}`));
    // The other symbols of both are the same, and the scanner says that once.
    expect(others).toEqual(shown('').slice(1));
  });
});
