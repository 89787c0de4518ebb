import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import type { BookingRequest, GivenTools, LabelDrawing, OperatorFiles } from '../../carriers/contract/index.js';
import { CarrierUnavailable } from '../../carriers/contract/index.js';
import { OwnFleetConfig } from '../../carriers/own-fleet/config.js';
import { ownFleet } from '../../carriers/own-fleet/index.js';
import { startOwnFleetSimulator } from '../../carriers/own-fleet/simulator.js';
import { trackingNumbers } from '../../carriers/testing/assertions.js';
import { drawnHere } from '../../carriers/testing/drawn-here.js';
import { numbersInMemory } from '../../carriers/testing/numbers-in-memory.js';
import { pageTexts } from '../../carriers/testing/page-texts.js';
import { checkDigit, gsin, lastSerial, sscc } from '../../carriers/toolkit/gs1/numbers.js';
import { operatorFiles } from '../../src/program-files.js';
import { describeCarrier } from './contract-suite.js';
import { TEST_NOW, bookingRequest, parcel, recipient } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';

const abroad = recipient({ address: { postalCode: '211 45', city: 'Malmö', countryCode: 'SE' } });

describeCarrier(ownFleet, {
  files: operatorFiles,
  requiredKeys: ['companyPrefix'],
  startSimulator: startOwnFleetSimulator,
  parcelsMatchedBy: 'position',
  variants: [
    ['two parcels', bookingRequest()],
    [
      'a parcel with a route',
      bookingRequest({ parcels: [parcel()], service: 'Morning', options: { route: 'North 1' } }),
    ],
    ['a parcel for Sweden', bookingRequest({ recipient: abroad })],
  ],
});

describe('numbers of GS1', () => {
  it.each([
    ['an SSCC', '37610425002123456', '9'],
    ['a GTIN-13', '629104150021', '3'],
    ['a GLN', '123456789012', '8'],
    ['nothing but zeros', '00000000000000000', '0'],
  ])("have the check digit of GS1's own example: %s", (_what, digits, expected) => {
    expect(checkDigit(digits)).toBe(expected);
  });

  it.each([
    ['9521234', 1, '095212340000000015'],
    ['952123456789', 9_999, '095212345678999996'],
    ['9521', 0, '095210000000000000'],
  ])('make an SSCC of 18 digits with the prefix %s and serial %d', (prefix, serial, expected) => {
    expect(sscc('0', prefix, serial).slice(0, 17)).toBe(expected.slice(0, 17));
    expect(sscc('0', prefix, serial)).toHaveLength(18);
    expect(checkDigit(sscc('0', prefix, serial).slice(0, 17))).toBe(sscc('0', prefix, serial).slice(17));
    expect(gsin(prefix, serial)).toHaveLength(17);
  });

  it('make none of a serial that has too many digits', () => {
    expect(() => sscc('0', '9521234', lastSerial('9521234') + 1)).toThrow('make no number of GS1');
  });
});

const TEMPLATE = readFileSync('templates/labels/own-fleet.yaml', 'utf8');

/** A folder of one template, and a logo. */
function filesOf(template: string, logo?: Uint8Array): OperatorFiles {
  return {
    read: (name) => {
      if (name.endsWith('.yaml')) return new TextEncoder().encode(template);
      if (!logo) throw new Error(`${name} cannot be read (ENOENT)`);
      return logo;
    },
  };
}

function connect(config: object = {}, files: OperatorFiles = operatorFiles, labels: LabelDrawing = drawnHere) {
  const settings = plainToInstance(
    OwnFleetConfig,
    { companyPrefix: '9521234', ...config },
    { exposeDefaultValues: true },
  );
  const tools: GivenTools = {
    http: testHttpPort,
    clock: { now: () => TEST_NOW },
    baseUrl: 'https://own-fleet.invalid',
    files,
    labels,
  };
  return ownFleet.connect(settings, { ...tools, numbers: numbersInMemory() });
}

function hasProgram(name: string): boolean {
  try {
    execFileSync('which', [name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The content of each symbol, at a printer's resolution, read by a decoder that is not ours. */
function symbolsOn(label: Uint8Array, dpi: number): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-sscc-'));
  try {
    writeFileSync(join(folder, 'label.pdf'), label);
    const page = join(folder, 'page');
    execFileSync('pdftoppm', ['-r', `${dpi}`, '-mono', '-singlefile', join(folder, 'label.pdf'), page]);
    const read = execFileSync('zbarimg', ['-q', `${page}.pbm`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return read.trim().split('\n').sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Skipped where zbarimg or pdftoppm is not installed: the labels are read by a decoder that is not ours.
const canRead = hasProgram('zbarimg') && hasProgram('pdftoppm');
const itReads = canRead ? it : it.skip;
if (!canRead) process.stderr.write('barcodes of labels: skipped, zbarimg or pdftoppm was not found on this machine\n');
const withReader = canRead ? '' : ' (skipped: zbarimg and pdftoppm are not installed)';

async function labelFor(request: BookingRequest, ...given: Parameters<typeof connect>) {
  const { booking, labels } = await connect(...given).book(request);
  return { booking, bytes: labels[0]?.bytes ?? new Uint8Array(), numbers: trackingNumbers(booking) };
}

describe('the label of own-fleet', () => {
  const one = bookingRequest({ parcels: [parcel()] });

  itReads.each([203, 300])(`has barcodes that a scanner reads at %d dpi${withReader}`, async (dpi) => {
    const { bytes, numbers } = await labelFor(one);
    expect(symbolsOn(bytes, dpi)).toEqual([
      `CODE-128:00${numbers[0]}`,
      expect.stringMatching(/^CODE-128:420\d{4}.?4019521234/),
    ]);
  });

  itReads(`names the country in the barcode of a label abroad${withReader}`, async () => {
    const { bytes } = await labelFor(bookingRequest({ parcels: [parcel()], recipient: abroad }));
    expect(symbolsOn(bytes, 203)[1]).toMatch(/^CODE-128:42175221145.?4019521234/);
  });

  itReads(`has a shipment number with a check digit where the template asks for 402${withReader}`, async () => {
    const template = TEMPLATE.replace("[routing, '401']", "['420', '402']");
    const { bytes, booking } = await labelFor(one, {}, filesOf(template));
    expect(booking.carrierNumber).toBe(gsin('9521234', 1));
    expect(symbolsOn(bytes, 203)[1]).toMatch(new RegExp(`^CODE-128:420\\d{4}.?402${booking.carrierNumber}$`));
  });

  it('is drawn by what Waybridge gives it, and not by itself', async () => {
    const labels: LabelDrawing = {
      draw: async (_template, { length }) => new TextEncoder().encode(`${length} labels`),
    };
    const { bytes } = await labelFor(bookingRequest(), {}, operatorFiles, labels);
    expect(new TextDecoder().decode(bytes)).toBe('2 labels');
  });

  it('is not booked where it cannot be drawn, and is tried again', async () => {
    const labels: LabelDrawing = { draw: () => Promise.reject(new Error('the process has ended')) };
    const booking = connect({}, operatorFiles, labels).book(one);
    await expect(booking).rejects.toThrow(CarrierUnavailable);
    await expect(booking).rejects.toThrow('the label could not be drawn: the process has ended');
  });

  it('shows sender, recipient, shipment and parcel in words', async () => {
    const request = bookingRequest({ options: { route: 'North 1' }, service: 'Morning' });
    const { bytes } = await labelFor(request);
    const [first = '', second = ''] = await pageTexts([{ format: 'pdf', bytes }]);
    for (const text of [request.recipient.address.street ?? '-', request.shipmentNumber, 'North 1', 'Morning'])
      expect(first).toContain(text);
    expect(first).toContain('Parcel 1 of 2');
    expect(second).toContain('Parcel 2 of 2');
  });

  it.each([
    [40, '0.1 kg'],
    [1_040, '1.1 kg'],
    [1_000, '1.0 kg'],
  ])('never shows a parcel of %d g lighter than it is', async (weightGrams, shown) => {
    const { bytes } = await labelFor(bookingRequest({ parcels: [parcel({ weightGrams })] }));
    expect((await pageTexts([{ format: 'pdf', bytes }])).join()).toContain(shown);
  });

  it('has the size, the texts and the logo of the template that the account names', async () => {
    const template = TEMPLATE.replace('width: 102', 'width: 105').replace(
      'items:',
      "items:\n  - { logo: /etc/logo.png, at: [67, 4], size: [31, 12] }\n  - { text: 'Call 12345', at: [4, 15], size: [60, 2] }",
    );
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const { bytes } = await labelFor(one, { template: 'mine' }, filesOf(template, png));
    const page = (await PDFDocument.load(bytes)).getPage(0);
    expect(Math.round((page.getWidth() / 72) * 25.4)).toBe(105);
    expect((await pageTexts([{ format: 'pdf', bytes }]))[0]).toContain('Call 12345');
  });

  it('leaves out a line whose fields are empty, and letters that no font has', async () => {
    const nowhere = recipient({ address: { name: 'Łukasz 木', floorBlockOrSuite: null } });
    const { bytes } = await labelFor({ ...one, recipient: nowhere });
    expect((await pageTexts([{ format: 'pdf', bytes }]))[0]).toContain('Lukasz Mu');
  });

  const PNG_OF_2000 = Buffer.alloc(40);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(PNG_OF_2000);
  PNG_OF_2000.writeUInt32BE(2_000, 16);
  PNG_OF_2000.writeUInt32BE(2_000, 20);
  const withLogo = TEMPLATE.replace('items:', 'items:\n  - { logo: logo.png, at: [67, 4], size: [31, 12] }');

  it.each<readonly [string, string, Uint8Array | undefined, string]>([
    ['no YAML', 'a: [', undefined, 'is no YAML'],
    ['a misspelt key', `heigth: 3\n${TEMPLATE}`, undefined, 'heigth is not known; known are width, height and items'],
    [
      'an unknown field',
      TEMPLATE.replace('{notes}', '{note}'),
      undefined,
      'items[3] has {note}, which is not known; known are sender.name',
    ],
    [
      'something beside the label',
      TEMPLATE.replace('[94, 38]', '[99, 38]'),
      undefined,
      'items[8] needs at: [x, y] and size: [width, height] in millimetres, within the label',
    ],
    [
      'a barcode that is too low',
      TEMPLATE.replace('[94, 38]', '[94, 9]'),
      undefined,
      'items[8] is too small for a barcode: at least 45 × 15 mm',
    ],
    ['no SSCC', TEMPLATE.replace("- barcode: '00'", "- barcode: '420'"), undefined, 'needs a barcode with 00'],
    [
      'an unknown element',
      TEMPLATE.replace("'401'", "'999'"),
      undefined,
      'barcode must name one or more of 00, 420, 421, routing, 401, 402',
    ],
    ['a logo that is missing', withLogo, undefined, 'logo.png cannot be read (ENOENT)'],
    ['a logo that is no picture', withLogo, Buffer.from('GIF89a'), 'the logo logo.png must be a PNG or JPEG'],
    ['a logo with too many pixels', withLogo, PNG_OF_2000, 'the logo logo.png must have at most 400000 pixels'],
    ['no item', 'width: 102\nheight: 152\nitems: []', undefined, 'items must be a list of 1 to 100'],
  ])('is refused at the start with a template that has %s', (...[, template, logo, problem]) => {
    expect(() => connect({}, filesOf(template, logo))).toThrow(problem);
  });
});

describe('own-fleet', () => {
  it('begins with the first serial number of the account, and goes on from the last one that was given', async () => {
    const account = connect({ firstSerial: 5_000 });
    const { booking } = await account.book(bookingRequest());
    expect(trackingNumbers(booking)).toEqual([sscc('0', '9521234', 5_000), sscc('0', '9521234', 5_001)]);
  });

  it('says to the operator that the numbers of a prefix are used up', async () => {
    const account = connect({ companyPrefix: '952123456789', firstSerial: 9_999 });
    await expect(account.book(bookingRequest())).rejects.toMatchObject({
      because: 'credentials',
      message: expect.stringContaining('set another extensionDigit of the account'),
    });
  });

  it('says where the parcels go, for the list of the driver', async () => {
    const { booking } = await connect().book(bookingRequest({ options: { route: 'North 1' } }));
    expect(booking.route).toMatch(/^North 1 · DK \d{4} /);
  });

  it('refuses an option of a rule that it does not know, and a route that is no text', () => {
    const codes = (options: object) =>
      ownFleet.checkRule?.({ service: null, options: { ...options } }).map(({ code }) => code);
    expect(codes({ rout: 'North' })).toEqual(['unknown-option']);
    expect(codes({ route: 7 })).toEqual(['option-value']);
    expect(codes({ route: 'North' })).toEqual([]);
  });
});
