import { expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ADVISORY_LOCKS } from '../../src/db/advisory-locks.js';

const FILE = 'db/advisory-locks.ts';

it('every advisory lock has a number of its own', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});

it('no other file takes advisory locks under numbers of its own', () => {
  const source = new URL('../../src', import.meta.url).pathname;
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const taking = files.filter((file) => /pg_(try_)?advisory/.test(readFileSync(join(source, file), 'utf8')));
  expect(taking).toEqual([FILE]);
});
