import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CASE_OPTIONS } from '../../carriers/testing/suite.js';
import { COMMANDS, FILES, PAGE as page, caseKeys } from '../adapters/outside/page.js';

const FOLDER = 'test/adapters/fjordpost';

describe('docs/writing-an-adapter.md', () => {
  it.each(readdirSync(FOLDER))('shows %s as the tests run it', (file) => {
    expect(page).toContain(readFileSync(join(FOLDER, file), 'utf8').trimEnd());
  });

  it('has the commands that test/adapters/outside runs', () => {
    expect(COMMANDS).toEqual([
      'mkdir our-carriers && cd our-carriers && npm init --yes && npm install waybridge',
      'npx waybridge new-carrier fjordpost',
      'npm test',
      'npx waybridge check-carrier ./fjordpost',
      'npx waybridge demo --adapter ./fjordpost',
      'npx waybridge sandbox --with-service --adapter ./fjordpost',
    ]);
  });

  it('has a line for each option of the cases', () => {
    expect([...caseKeys()].sort()).toEqual([...CASE_OPTIONS].sort());
  });

  it('has each file once, by its name', () => {
    expect(FILES.map(({ name }) => name).sort()).toEqual(readdirSync(FOLDER).sort());
  });

  it('counts the lines of the example', () => {
    const lines = readdirSync(FOLDER).flatMap((file) => readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n'));
    expect(page).toContain(`${lines.length} lines`);
    expect(lines.length).toBeLessThanOrEqual(400);
  });
});
