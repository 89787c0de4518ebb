import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync('docs/writing-an-adapter.md', 'utf8');
const FOLDER = 'test/adapters/fjordpost';

describe('docs/writing-an-adapter.md', () => {
  it.each(readdirSync(FOLDER))('shows %s as the tests run it', (file) => {
    expect(page).toContain(readFileSync(join(FOLDER, file), 'utf8').trimEnd());
  });

  it('has the commands that test/adapters/outside runs', () => {
    const commands = [...page.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command);
    expect(commands).toEqual([
      'mkdir our-carriers && cd our-carriers && npm init --yes && npm install waybridge',
      'npx waybridge new-carrier fjordpost',
      'npm test',
      'npx waybridge check-carrier ./fjordpost',
      'npx waybridge demo --adapter ./fjordpost',
      'npx waybridge sandbox --with-service --adapter ./fjordpost',
    ]);
  });

  it('counts the lines of the example', () => {
    const lines = readdirSync(FOLDER).flatMap((file) => readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n'));
    expect(page).toContain(`${lines.length} lines`);
    expect(lines.length).toBeLessThanOrEqual(400);
  });
});
