import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carriers } from '../../carriers/index.js';
import { doctor } from '../../src/cli/doctor/doctor.js';
import { sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';

const folder = mkdtempSync(join(tmpdir(), 'waybridge-doctor-'));
let sandbox: Sandbox;
let lines: string[];

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, carriers, limits: { requestsPerSecond: null } });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  lines = [];
  process.exitCode = undefined;
  jest.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(String(line)));
});
afterEach(() => {
  sandbox.control.clearFaults();
  process.exitCode = undefined;
  jest.restoreAllMocks();
});

/** What `doctor --json` says, by check, and how it ends. */
async function examined(environment: Readonly<Record<string, string>> = {}) {
  const configFile = join(folder, 'waybridge.yaml');
  writeFileSync(configFile, sandboxConfig(sandbox));
  const given = sandboxEnvironment(sandbox, { port: 0, configFile, dataDir: join(folder, 'data') });
  await doctor({ ...given, ...environment }, { json: true });
  const { ok, results } = JSON.parse(lines.join('\n'));
  const rows = results as readonly { readonly what: string; readonly state: string; readonly says: string }[];
  return { ok, exitCode: process.exitCode ?? 0, of: (what: string) => rows.find((row) => row.what === what) };
}

it('finds accounts, clock and disk in order, and tells where PUBLIC_URL does not lead to the service', async () => {
  const { ok, exitCode, of } = await examined({ PUBLIC_URL: sandbox.imsBaseUrl });
  expect({ ok, exitCode }).toEqual({ ok: true, exitCode: 0 });
  for (const what of ['account gls', 'account bring', 'account dao', 'clock', 'disk'])
    expect(of(what)).toMatchObject({ state: 'ok', says: expect.stringContaining('fine') });
  expect(of('PUBLIC_URL')).toMatchObject({ state: 'look', says: expect.stringContaining('check PUBLIC_URL') });
});

it('ends with exit code 1 when a carrier does not accept the credentials, and says what to do', async () => {
  sandbox.control.addFault({ target: 'bring', kind: 'status', status: 401, times: 'always' });
  const { ok, exitCode, of } = await examined();
  expect({ ok, exitCode }).toEqual({ ok: false, exitCode: 1 });
  expect(of('account bring')).toMatchObject({
    state: 'problem',
    says: expect.stringContaining('correct config of the account'),
  });
});

it('ends with exit code 1 when a carrier does not answer', async () => {
  sandbox.control.addFault({ target: 'dao', kind: 'drop-before', times: 'always' });
  const { exitCode, of } = await examined();
  expect(exitCode).toBe(1);
  expect(of('account dao')?.state).toBe('problem');
});
