import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { LabelForm } from '../../carriers/contract/traits.js';
import type { LabelTarget } from '../../src/labels/conversion/target.js';
import { type PrintedBooking, chooseProfile, compileProfiles } from '../../src/printing/choose-profile.js';
import { labelFormFor } from '../../src/printing/label-form.js';
import { loadPrinting } from '../../src/printing/load-printing.js';
import { TemplateGone, callsFor, printCall } from '../../src/printing/print-body.js';
import { type PrintProfile, targetInWords } from '../../src/printing/profile.js';
import type { Query } from '../../src/routing/language/rule.js';

const PDF: LabelTarget = { format: 'pdf', widthMm: null, heightMm: null, dpi: 203, sheet: null, perSheet: 1 };
const BOOKING: PrintedBooking = {
  ...{ area: '550', carrier: 'bring', service: 'PICKUP_PARCEL', country: 'NO' },
  event: { deviceName: 'Packing-3', userId: 12 },
};

function profile(name: string, changes: Partial<PrintProfile> = {}): PrintProfile {
  return { name, target: PDF, copies: 1, template: null, ...changes };
}

function chosen(use: readonly (readonly [Query, string])[], booking: Partial<PrintedBooking> = {}): string | null {
  const profiles = ['one', 'two'].map((name) => profile(name));
  const compiled = compileProfiles({ profiles, use: use.map(([when, name]) => ({ when, profile: name })) });
  return chooseProfile(compiled, { ...BOOKING, ...booking })?.name ?? null;
}

describe('the profile of a booking', () => {
  it.each<[string, Query]>([
    ['its area, written as a number', { area: 550 }],
    ['its carrier and country', { carrier: 'bring', country: 'NO' }],
    ['its service', { service: { $in: ['PICKUP_PARCEL', 'BUSINESS_PARCEL'] } }],
    ['the device', { deviceName: { $regex: '^Packing' } }],
    ['the user, written as a number', { userId: 12 }],
    ['several users', { userId: { $in: [11, 12] } }],
    ['nothing', {}],
  ])('is chosen by %s', (_case, when) => {
    expect(chosen([[when, 'one']])).toBe('one');
  });

  it('is that of the first entry that matches', () => {
    const entries = [{ carrier: 'dao' }, { country: 'NO' }, {}] as const;
    expect(chosen(entries.map((when, place) => [when, place === 1 ? 'two' : 'one']))).toBe('two');
  });

  it('is none where no entry matches', () => {
    expect(chosen([[{ country: 'DK' }, 'one']])).toBeNull();
    expect(chosen([])).toBeNull();
  });

  it('is not chosen by a device that is not known', () => {
    expect(
      chosen(
        [
          [{ deviceName: { $ne: 'Office' } }, 'one'],
          [{}, 'two'],
        ],
        { event: 'not-known' },
      ),
    ).toBe('two');
    expect(chosen([[{ deviceName: null }, 'one']], { event: { deviceName: null, userId: null } })).toBe('one');
  });
});

const A6: LabelForm = { format: 'pdf', widthMm: 105, heightMm: 148 };
const THERMAL: LabelForm = { format: 'pdf', widthMm: 100, heightMm: 150 };
const A4: LabelForm = { format: 'pdf', widthMm: 210, heightMm: 297 };
const ZPL: LabelForm = { format: 'zpl', dpi: 203 };

describe('the form of labels that a carrier is asked for', () => {
  const zpl: Partial<LabelTarget> = { format: 'zpl', widthMm: 102, heightMm: 152 };
  it.each<[string, readonly LabelForm[], Partial<LabelTarget>, LabelForm | null]>([
    ['is the nearest size', [A4, A6, THERMAL], { widthMm: 102, heightMm: 152 }, THERMAL],
    ['is the nearest size turned, too', [A4, THERMAL], { widthMm: 150, heightMm: 100 }, THERMAL],
    ['is that of a part of the sheet', [A4, THERMAL, A6], { sheet: 'A4', perSheet: 4 }, A6],
    ['is that of the whole sheet', [THERMAL, A4], { sheet: 'A4' }, A4],
    ['is ZPL for a printer of its resolution', [THERMAL, ZPL], zpl, ZPL],
    ['is no ZPL of another resolution', [THERMAL, A4, ZPL], { ...zpl, dpi: 300 }, THERMAL],
    ['is no ZPL of another size', [THERMAL, { ...ZPL, widthMm: 50, heightMm: 80 }], zpl, THERMAL],
    ['is no ZPL for paper', [THERMAL, ZPL], { widthMm: 102, heightMm: 152 }, THERMAL],
    ['is left to the adapter where nothing is to be chosen', [THERMAL], { widthMm: 102, heightMm: 152 }, null],
    ['is left to the adapter where no size is wanted', [THERMAL, A4], {}, null],
    ['is left to the adapter where no size is stated', [{ format: 'pdf' }, ZPL], { widthMm: 102, heightMm: 152 }, null],
  ])('%s', (...[, forms, changes, wanted]) => {
    expect(labelFormFor(forms, null, { ...PDF, ...changes })).toBe(wanted);
  });

  it('is one that the service has', () => {
    const parcels = { ...THERMAL, services: ['parcel'] };
    const target = { ...PDF, widthMm: 100, heightMm: 150 };
    expect(labelFormFor([A4, A6, parcels], 'parcel', target)).toBe(parcels);
    expect(labelFormFor([A4, A6, parcels], 'letter', target)).toBe(A6);
    expect(labelFormFor([A4, A6, parcels], null, target)).toBe(A6);
  });
});

describe('paper in words', () => {
  it.each([
    [{ widthMm: 102, heightMm: 152 }, '102 × 152 mm'],
    [{ widthMm: 102 }, 'a roll 102 mm wide'],
    [{ sheet: 'A4', perSheet: 4 }, 'A4, 4 labels on a sheet'],
    [{ sheet: 'A5' }, 'A5'],
    [{}, 'the size in which it came'],
  ] as const)('%j', (changes, words) => {
    expect(targetInWords({ ...PDF, ...changes })).toBe(words);
  });
});

const folders: string[] = [];

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

async function templates(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'templates-'));
  folders.push(folder);
  for (const [name, content] of Object.entries({ 'print-resource.json': { file: '{{fileName}}' }, ...files }))
    await writeFile(join(folder, name), JSON.stringify(content));
  return folder;
}

describe('the template of a profile', () => {
  const values = {
    ...{ documentId: '9001', shipmentId: 701, shipmentNumber: '10045', fileName: 'a.pdf', contextId: '550' },
    ...{ deviceName: 'PACK-3', userId: 12, copies: 3 },
  };

  it('is used instead of the own one, and may name the copies', async () => {
    const folder = await templates({ 'print-resource.tray-2.json': { tray: 2, count: '{{copies}}' } });
    const printing = await loadPrinting(folder, { mode: 'resource', profiles: [profile('a', { template: 'tray-2' })] });
    expect(printCall(printing, values, 'tray-2')?.body).toEqual({ tray: 2, count: 3 });
    expect(printCall(printing, values)?.body).toEqual({ file: 'a.pdf' });
  });

  it('with a place for the number of copies needs one request, without it one for each copy', async () => {
    const folder = await templates({ 'print-resource.count.json': { count: '{{copies}}' } });
    const printing = await loadPrinting(folder, { mode: 'resource', profiles: [] });
    expect(callsFor(printing, { copies: 3, template: 'count' })).toBe(1);
    expect(callsFor(printing, { copies: 3, template: null })).toBe(3);
    expect(callsFor({ mode: 'document' }, { copies: 3, template: null })).toBe(3);
  });

  it('stops the start where it is missing', async () => {
    const loading = loadPrinting(await templates({}), {
      mode: 'resource',
      profiles: [profile('thermal', { template: 'tray-2' })],
    });
    await expect(loading).rejects.toThrow(
      /^printing\.profiles\.thermal\.template: .*print-resource\.tray-2\.json is missing$/,
    );
  });

  it('stops the start where it is wrong, even if no profile names it', async () => {
    const folder = await templates({ 'print-resource.old.json': { a: '{{docId}}' } });
    const loading = loadPrinting(folder, { mode: 'resource', profiles: [] });
    await expect(loading).rejects.toThrow(/print-resource\.old\.json: unknown placeholder \{\{docId\}\}/);
  });

  it('that is gone prints nothing', async () => {
    const printing = await loadPrinting(await templates({}), { mode: 'resource', profiles: [] });
    expect(() => printCall(printing, values, 'tray-2')).toThrow(TemplateGone);
  });
});
