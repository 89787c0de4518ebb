import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CarrierAdapter } from '../../carriers/contract/index.js';
import { pretend } from '../../carriers/pretend/index.js';
import { factsOfCarrier } from '../../src/cli/carriers/carrier-facts.js';
import { matrixOf } from '../../src/cli/carriers/matrix.js';
import { reportLines } from '../../src/cli/carriers/report.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;

// The command builds the program first, where the sources are newer.

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-carriers-'));
  cpSync(join(ROOT, 'test/adapters/fjordpost'), join(folder, 'fjordpost'), { recursive: true });
  changedFjordpost('silent', (text) =>
    text
      .replace("id: 'fjordpost'", "id: 'silent'")
      .replace("name: 'Fjordpost'", "name: 'Silent'")
      .replace(/ {4}(services|confidence): .*\n/g, '')
      .replace(/labels: .*\n/, "labels: [{ format: 'pdf' }],\n"),
  );
  changedFjordpost('outdated', (text) => text.replace(/labels: .*\n/, "labelFormats: ['pdf'],\n"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function changedFjordpost(name: string, change: (text: string) => string): void {
  cpSync(join(ROOT, 'test/adapters/fjordpost'), join(folder, name), { recursive: true });
  const file = join(folder, name, 'index.js');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** In a folder of its own, without any secret in the environment. @param config the text of the configuration file */
function run(words: readonly string[], config?: string, environment: Readonly<Record<string, string>> = {}) {
  const cwd = mkdtempSync(join(folder, 'here-'));
  if (config !== undefined) writeFileSync(join(cwd, 'waybridge.yaml'), config);
  const env = { PATH: process.env['PATH'], ...environment };
  return new Promise<Ended>((done) => {
    execFile(
      process.execPath,
      [join(ROOT, 'bin/waybridge.js'), 'carriers', ...words],
      { cwd, env },
      (error, out, err) => done({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

/** What stands in a row of the report's tables, by the carrier above it. */
function cells(out: string, title: string): Readonly<Record<string, string>> {
  let names: readonly string[] = [];
  const found = out.split('\n').flatMap((line) => {
    const [first = '', ...others] = line.split(/ {2,}/);
    if (first !== '' && first === first.toUpperCase()) names = others;
    return first === title ? others.map((cell, column) => [names[column] ?? '', cell]) : [];
  });
  return Object.fromEntries(found);
}

describe('carriers', () => {
  it('shows on a terminal of 100 columns what each carrier can do, without any configuration', async () => {
    const { code, out } = await run([]);
    expect(code).toBe(0);
    expect(cells(out, 'cancels a booking')).toMatchObject({ Bring: '–', DAO: 'yes', GLS: '–', Pretend: 'yes' });
    expect(cells(out, 'gives labels')).toMatchObject({
      Bring: 'can be fetched',
      DAO: 'can be fetched',
      GLS: 'with the answer',
      Pretend: 'can be fetched',
    });
    expect(cells(out, 'parcels in a booking')).toMatchObject({ Bring: '50', DAO: '1', GLS: '20', Pretend: '99' });
    expect(cells(out, 'answer to a booking is lost')).toMatchObject({
      Bring: 'looked up',
      DAO: 'a person looks',
      GLS: 'a person looks',
      Pretend: 'looked up',
    });
    expect(cells(out, 'confidence in these facts')).toMatchObject({
      Bring: 'high',
      DAO: 'high',
      GLS: 'medium',
      Pretend: 'high',
    });
    expect(out).toMatch(/^ +services +PICKUP_PARCEL +PickUp Parcel, up to 20 kg \(DK to DK\)$/m);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('says which setting something needs', async () => {
    const found = JSON.parse((await run(['--json'])).out);
    const gls = found.find(({ id }: { readonly id: string }) => id === 'gls-dk');
    expect(gls.capabilities.track).toEqual({ offered: true, needsSetting: 'tracking' });
    expect(gls.capabilities.pickupPoints).toEqual({ offered: true, needsSetting: null });
    expect(gls).toMatchObject({
      origin: 'built-in',
      labels: [{ format: 'pdf' }],
      unknownServices: 'refused',
      limits: { parcels: 20, heaviestKg: 50, trackedAtOnce: 10, trackingCallsPerDay: 500 },
      lostAnswer: 'left-to-a-person',
      foundAfterMs: null,
    });
  });

  it('shows carriers from outside that the configuration names, though their secrets are missing', async () => {
    const config = `adapters: [../fjordpost]\naccounts: { fjordpost: { config: { apiKey: '\${FJORDPOST_API_KEY}' } } }`;
    const { code, out } = await run([], config);
    expect(code).toBe(0);
    expect(out).toMatch(/^FJORDPOST \(carrier: fjordpost, from outside\)\n +facts from +Fjordpost API, version 2$/m);
    expect(out).toMatch(/^ +services +parcel +Parcel\n +express +Express$/m);
    expect(out).toMatch(/^ +labels +PDF, 100×150 mm$/m);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('says what a carrier from outside does not state', async () => {
    const { out } = await run([], 'adapters: [../silent]');
    const [, chapter = ''] = out.split('SILENT (carrier: silent, from outside)');
    expect(chapter).toMatch(/facts from +not stated\n +confidence +not stated\n +labels +PDF, size not stated\n/);
    expect(chapter).toMatch(/services +not stated\n/);
    const found = JSON.parse((await run(['--json'], 'adapters: [../silent]')).out);
    expect(found.at(-1)).toMatchObject({ id: 'silent', services: null, confidence: null });
  });

  it.each([
    ['a carrier that has no labels', 'adapters: [../outdated]', /adapters\[0\] +\.\.\/outdated has traits .*labels \(/],
    ['a carrier that is not there', 'adapters: [../nowhere]', /adapters\[0\] +\.\.\/nowhere is not there/],
    ['a list that is none', 'adapters: ../fjordpost', /adapters +must be a list of packages and folders/],
    ['a file that is no YAML', 'adapters: [', /line \d+ +is not valid YAML/],
  ])('ends with code 78 for %s', async (_what, config, words) => {
    const { code, out, err } = await run([], config);
    expect(err).toMatch(words);
    expect(out).toBe('');
    expect(code).toBe(78);
  });

  it('ends with code 78 when the file that CONFIG_FILE names is not there', async () => {
    const { code, err } = await run([], undefined, { CONFIG_FILE: 'other.yaml' });
    expect(err).toMatch(/other\.yaml +cannot be read \(ENOENT\)/);
    expect(code).toBe(78);
  });

  it('prints the page of the documentation, which has no carriers from outside', async () => {
    const { out } = await run(['--markdown'], 'adapters: [../fjordpost]');
    expect(out).toBe(readFileSync('docs/carriers.md', 'utf8'));
  });

  it('does not print two forms at once', async () => {
    const { code, err } = await run(['--json', '--markdown']);
    expect(err).toContain("option '--json' cannot be used with option '--markdown'");
    expect(code).toBe(1);
  });
});

/** A cell of the table that has this carrier alone. */
function cell(changes: Partial<CarrierAdapter>, title: string): string | undefined {
  const sections = matrixOf([factsOfCarrier({ ...pretend, ...changes } as CarrierAdapter, 'outside')]);
  return sections.flatMap(({ rows }) => rows).find((row) => row.title.startsWith(title))?.cells[0];
}

describe('a carrier', () => {
  const without =
    (...names: readonly string[]): CarrierAdapter['connect'] =>
    (config, tools) =>
      Object.fromEntries(
        Object.entries(pretend.connect(config as never, tools)).filter(([name]) => !names.includes(name)),
      ) as never;

  it('has lines of at most 100 columns, however long its words are', () => {
    const long = 'x'.repeat(150);
    const traits = {
      ...pretend.traits,
      services: [{ code: long, name: long }],
      confidence: { source: long, level: 'low' as const, assumed: [long] },
    };
    const lines = reportLines([factsOfCarrier({ ...pretend, name: long, traits } as CarrierAdapter, 'outside')]);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  });

  it.each<readonly [string, Partial<CarrierAdapter>, string, string]>([
    ['cannot cancel without the method', { connect: without('cancel') }, 'cancels', '–'],
    ['does not call back without a reader of callbacks', { parseCallback: undefined } as object, 'tracking by', '–'],
    ['has no limits of tracking where it has none', { connect: without('track') }, 'parcels in a tracking', '–'],
    [
      'is asked again where it knows a repeated reference and has no search',
      { connect: without('findByReference'), traits: { ...pretend.traits, repeatedBooking: 'refused' } },
      'answer to a booking',
      'sent again',
    ],
    [
      'has labels of each form once',
      {
        traits: {
          ...pretend.traits,
          labels: [{ format: 'pdf' }, { format: 'zpl', widthMm: 102, heightMm: 190 }, { format: 'zpl', dpi: 203 }],
        },
      },
      'label formats',
      'PDF, ZPL',
    ],
    [
      'has no known weight where its check breaks',
      {
        connect: (config, tools) => ({
          ...pretend.connect(config as never, tools),
          check: () => {
            throw new Error('no scale');
          },
        }),
      },
      'heaviest parcel',
      'not stated',
    ],
  ])('%s', (...[, changes, title, expected]) => {
    expect(cell(changes, title)).toBe(expected);
  });
});
