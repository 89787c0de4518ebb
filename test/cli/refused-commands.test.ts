import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment, yaml } from '../config/config-samples.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Of a network for documentation: no machine has it. */
const ADDRESS_OF_NOBODY = '192.0.2.1';
const WRONG_SETTINGS = 78;
const WRONG_COMMAND = 1;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-refused-'));
  writeFileSync(join(folder, 'waybridge.yaml'), yaml());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(words: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const env = { PATH: process.env['PATH'], ...environment, DATA_DIR: join(folder, 'data'), ...settings };
  return new Promise((done) => {
    execFile(process.execPath, [join(ROOT, 'bin/waybridge.js'), ...words], { cwd: folder, env }, (error, out, err) =>
      done({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

describe('serve does not start where it cannot listen', () => {
  it.each([
    ['0', ADDRESS_OF_NOBODY, /HOST +"192\.0\.2\.1" is no address of this machine \(EADDRNOTAVAIL\): /],
    ['8123', ADDRESS_OF_NOBODY, /HOST +"192\.0\.2\.1" is no address of this machine \(EADDRNOTAVAIL\): /],
    ['8123', 'no host.invalid', /HOST +"no host\.invalid" leads to no address \(E\w+\): /],
  ])('on port %s of %s', async (PORT, HOST, words) => {
    const { code, err } = await run(['serve'], { HOST, PORT, PUBLIC_URL: 'https://waybridge.example' });
    expect(err).toMatch(words);
    expect(code).toBe(WRONG_SETTINGS);
  });
});

describe('doctor refuses', () => {
  it.each([
    [['--area', '550'], /option '--area <contextId>' needs '--from-ims'/],
    [['--out', 'new.yaml'], /option '--out <file>' needs '--from-ims'/],
    [['--from-ims', '--json'], /option '--from-ims' cannot be used with option '--json'/],
  ])('%j', async (options, words) => {
    const { code, out, err } = await run(['doctor', ...options]);
    expect(err).toMatch(words);
    expect({ code, out }).toEqual({ code: WRONG_COMMAND, out: '' });
  });
});

it('resolve says why its table cannot be read', async () => {
  const { code, err } = await run(['resolve', '--csv', 'nothing.csv', '--url', 'http://127.0.0.1:1']);
  expect(err).toMatch(/nothing\.csv +cannot be read \(ENOENT\)/);
  expect(code).toBe(WRONG_SETTINGS);
});
