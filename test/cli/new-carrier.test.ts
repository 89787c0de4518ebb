import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { newCarrier } from '../../src/cli/new-carrier/new-carrier.js';

it.each([
  ['an id of other letters', 'Fjord Post', /"Fjord Post" is no id of a carrier: use small letters/],
  ['the id of a built-in carrier', 'bring', /"bring" is the id of a carrier that Waybridge has already/],
])('new-carrier refuses %s, and writes nothing', async (_case, id, expected) => {
  const into = join(tmpdir(), `waybridge-new-carrier-${process.pid}`);
  await expect(newCarrier(id, { into, yes: true })).rejects.toThrow(expected);
  expect(existsSync(into)).toBe(false);
});

const folders: string[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true }));
});

it('new-carrier says what it takes where it cannot ask, and how to choose otherwise', async () => {
  const into = mkdtempSync(join(tmpdir(), 'waybridge-new-carrier-'));
  folders.push(into);
  const said: string[] = [];
  jest.spyOn(console, 'log').mockImplementation((line) => void said.push(line));

  await newCarrier('acme', { into, search: 'no' });

  expect(said.slice(0, 3)).toEqual([
    'How does the carrier let you in? header; --auth takes header, basic, oauth, query',
    'How many parcels does one booking take? several; --parcels takes several, one',
    'Do labels come with the answer, or are they asked for? answer; --labels takes answer, asked',
  ]);
  expect(said[3]).toMatch(/^Acme is in /);
});

it('new-carrier names what it wrote into a checkout, the list that it changed, and last the command for docs/carriers.md', async () => {
  const checkout = mkdtempSync(join(tmpdir(), 'waybridge-checkout-'));
  folders.push(checkout);
  const into = join(checkout, 'carriers');
  mkdirSync(into);
  cpSync('carriers/index.ts', join(into, 'index.ts'));
  cpSync('carriers/toolkit', join(into, 'toolkit'), { recursive: true });
  const said: string[] = [];
  jest.spyOn(console, 'log').mockImplementation((line) => void said.push(line));

  await newCarrier('acme', { into, yes: true });

  const here = relative(process.cwd(), checkout);
  expect(said.join('\n').split('\n').slice(0, 4)).toEqual([
    `Acme is in ${here}/carriers/acme: README.md, api.ts, booking.ts, check.ts, index.ts, simulator.ts, tracking.ts`,
    `Its test: ${here}/test/carriers/acme.test.ts`,
    `Its lines were added to ${here}/carriers/index.ts`,
    '',
  ]);
  expect(said.at(-1)).toBe('  npm run docs:carriers  # writes docs/carriers.md: a test fails until it has run');
});
