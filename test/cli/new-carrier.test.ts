import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { newCarrier } from '../../src/cli/new-carrier/new-carrier.js';

it.each([
  ['an id of other letters', 'Fjord Post', /"Fjord Post" is no id of a carrier: use small letters/],
  ['the id of a built-in carrier', 'bring', /"bring" is the id of a carrier that Waybridge has already/],
])('new-carrier refuses %s, and writes nothing', async (_case, id, expected) => {
  const into = join(tmpdir(), `waybridge-new-carrier-${process.pid}`);
  await expect(newCarrier(id, { into, yes: true })).rejects.toThrow(expected);
  expect(existsSync(into)).toBe(false);
});
