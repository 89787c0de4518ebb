import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { carriers } from '../../carriers/index.js';
import { ownCarriers } from '../../src/cli/carriers/carriers.js';
import { carriersPage } from '../../src/cli/carriers/page.js';

const page = readFileSync('docs/carriers.md', 'utf8');

describe('docs/carriers.md', () => {
  it('is what `npm run docs:carriers` writes', () => {
    expect(page).toBe(carriersPage(ownCarriers()));
  });

  it('has a chapter for every carrier, with its README', () => {
    const readmes = [...page.matchAll(/\]\((\.\.\/carriers\/[^)]+)\)/g)].map(([, link = '']) => join('docs', link));
    expect(readmes.sort()).toEqual(carriers.map(({ adapter }) => `carriers/${adapter.id}/README.md`).sort());
    for (const readme of readmes) expect(existsSync(readme)).toBe(true);
  });

  it('is complete: every carrier here states its services and where its facts come from', () => {
    const silent = ownCarriers().filter(({ services, confidence }) => services === null || confidence === null);
    expect(silent.map(({ id }) => id)).toEqual([]);
  });
});
