import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;

// The command builds the program first, where the sources are newer.

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-rules-'));
  cpSync(join(ROOT, 'waybridge.example.yaml'), join(folder, 'waybridge.yaml'));
  cpSync(join(ROOT, 'rules.examples.yaml'), join(folder, 'rules.examples.yaml'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly text: string;
}

/** Without any secret in the environment. */
function rulesTest(...more: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'], CONFIG_FILE: join(folder, 'waybridge.yaml') };
  const command = [join(ROOT, 'bin/waybridge.js'), 'rules', 'test', ...more];
  return new Promise((done) => {
    execFile(process.execPath, command, { env }, (error, stdout, stderr) => {
      done({ code: Number(error?.code ?? 0), text: stdout + stderr });
    });
  });
}

it('shows that the examples beside the configuration end as they should', async () => {
  const { code, text } = await rulesTest();
  expect(text).toContain('7 of 7 examples ended as expected');
  expect(text).toMatch(/^ok +Sweden +gls \(Other EU countries\)/m);
  expect(code).toBe(0);
});

it('fails with a table of what was expected and found when an example does not', async () => {
  const wrong = join(folder, 'wrong.yaml');
  writeFileSync(
    wrong,
    '- { name: abroad, shipment: { deliveryAddress: { countryCode: CH } }, expect: { account: gls } }',
  );
  const { code, text } = await rulesTest('--examples', wrong);
  expect(text).toMatch(/^FAILED +abroad +gls +bring \(Everything else\)$/m);
  expect(code).toBe(1);
});

it('says what is wrong with rules that cannot be used', async () => {
  const path = join(folder, 'waybridge.yaml');
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, before.replace('isEu: true', 'isEU: true'));
  const { code, text } = await rulesTest();
  writeFileSync(path, before);
  expect(text).toMatch(/rules\[3\]\.when\.isEU +is not a field of a shipment; did you mean isEu\?/);
  expect(code).toBe(78);
});

it.each([
  [
    'a carrier that there is not',
    ['carrier: dao', 'carrier: doa'],
    /accounts\.dao\.carrier +is not a carrier we have; did you mean dao\?/,
  ],
  [
    'an option that its carrier does not have',
    ['notification: email', 'notificaton: email'],
    /rules\[0\]\.use\.options\.notificaton /,
  ],
  ['a service that its carrier does not have', ['service: home', 'service: hoem'], /rules\[1\]\.use\.service /],
] as const)('refuses %s, as a start does', async (_what, [right, wrong], said) => {
  const path = join(folder, 'waybridge.yaml');
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, before.replace(right, wrong));
  const { code, text } = await rulesTest();
  writeFileSync(path, before);
  expect(text).toMatch(said);
  expect(code).toBe(78);
});

it('says what to do where there are no examples', async () => {
  const { code, text } = await rulesTest('--examples', join(folder, 'none.yaml'));
  expect(text).toMatch(
    /none\.yaml +cannot be read \(ENOENT\); docs\/rules\.md shows how to write examples; --examples names/,
  );
  expect(code).toBe(78);
});
