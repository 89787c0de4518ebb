import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsError } from '../../src/config/environment.js';
import { envFileAdvice } from '../../src/cli/env-file.js';

const before = process.cwd();
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waybridge-env-file-')));
const argv = ['/usr/bin/node', join(folder, 'bin', 'waybridge.js'), 'explain', '4711'];
const advice = expect.stringMatching(/: node --env-file=\.env bin\/waybridge\.js explain 4711$/);

beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

it.each([
  ['in the settings', new SettingsError([{ where: 'IMS_CLIENT_ID', rule: 'missing; issued by …' }]).message, advice],
  [
    'in waybridge.yaml',
    new SettingsError([{ where: 'areas[0].apiKey', rule: 'needs the environment variable IMS_KEY, which is missing' }])
      .message,
    advice,
  ],
  ['for the service', 'OPERATOR_TOKEN is missing: put it in the environment', advice],
  ['nowhere', 'settings: 1 problem\n  PORT  must be a port number, e.g. 8080', null],
  [
    'nowhere, but a bracket',
    'settings: 1 problem\n  line 3  is not valid YAML (MISSING_CHAR): a colon is missing',
    null,
  ],
])('names the command that reads .env where a variable is missing %s', (_case, message, said) => {
  rmSync('.env', { force: true });
  expect(envFileAdvice(message, argv)).toBeNull();
  writeFileSync('.env', '');
  expect(envFileAdvice(message, argv)).toEqual(said);
});

it('says that the file was read where the command has it already', () => {
  writeFileSync('.env', '');
  const read = (...options: readonly string[]) => envFileAdvice('DAO_CODE is missing', argv, options);
  expect(read('--env-file=.env')).toBe('.env was read, and does not have what is missing: add it there.');
  expect(read('--env-file', '.env')).toBe('.env was read, and does not have what is missing: add it there.');
  expect(read('--max-old-space-size=500')).toEqual(advice);
});

it('names the program itself where npx runs it through a link', () => {
  const bin = join(folder, 'bin');
  const links = join(folder, '_npx', 'node_modules', '.bin');
  for (const made of [bin, links]) mkdirSync(made, { recursive: true });
  for (const made of ['.env', join(bin, 'waybridge.js')]) writeFileSync(made, '');
  symlinkSync(join(bin, 'waybridge.js'), join(links, 'waybridge'));
  const typed = ['/usr/bin/node', join(links, 'waybridge'), 'explain', '4711'];
  expect(envFileAdvice('OPERATOR_TOKEN is missing', typed)).toEqual(advice);
});
