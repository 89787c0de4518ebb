import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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

it('says what does not work where PUBLIC_URL is not set, and others reach the service', async () => {
  const { ok, of } = await examined({ HOST: '203.0.113.7', PUBLIC_URL: '' });
  expect(ok).toBe(true);
  expect(of('PUBLIC_URL')).toMatchObject({
    state: 'look',
    says: expect.stringMatching(
      /^not set: links in messages to workers, and callbacks of carriers, lead to http:..localhost/,
    ),
  });
});

describe('with a provider of OpenID Connect', () => {
  let provider: ChildProcess;
  let port: string;
  const openId = (more: Readonly<Record<string, string>> = {}) => ({
    ...{ OIDC_ISSUER: `http://127.0.0.1:${port}`, OIDC_CLIENT_ID: 'waybridge' },
    ...{ OIDC_CLIENT_SECRET: 'openid-client-secret-0001', PUBLIC_URL: 'http://127.0.0.1:9', ...more },
  });

  beforeAll(async () => {
    const callback = 'http://127.0.0.1:9/sign-in/openid/callback';
    provider = spawn(process.execPath, ['test/support/openid-provider.js', callback], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = await once(provider.stdout as NodeJS.ReadableStream, 'data');
    port = String(line).trim();
  });
  afterAll(() => void provider.kill('SIGKILL'));

  it('says that people can sign in there', async () => {
    const { of } = await examined(openId());
    expect(of('OpenID')).toMatchObject({ state: 'ok', says: expect.stringContaining('/sign-in/openid/callback') });
  });

  it.each([
    [
      'the provider is another issuer',
      () => ({ OIDC_ISSUER: `http://localhost:${port}` }),
      /calls itself http:..127.0.0.1:\d+, not http:..localhost/,
    ],
    [
      'the provider does not answer',
      () => ({ OIDC_ISSUER: 'http://127.0.0.1:9' }),
      /no answer below .*: check OIDC_ISSUER/,
    ],
    [
      'the address to come back to is not registered',
      () => ({ PUBLIC_URL: sandbox.imsBaseUrl }),
      /register http.*callback with the provider/,
    ],
    ['the provider does not know the client', () => ({ OIDC_CLIENT_ID: 'other' }), /check OIDC_CLIENT_ID/],
  ] as const)('says what to do when %s, and that bookings work', async (_what, given, says) => {
    const { ok, of } = await examined(openId(given()));
    expect([ok, of('OpenID')?.state]).toEqual([true, 'look']);
    expect(of('OpenID')?.says).toMatch(says);
  });

  it('says nothing of a provider where none is configured', async () => {
    expect((await examined()).of('OpenID')).toBeUndefined();
  });
});
