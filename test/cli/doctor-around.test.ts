import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { carriers } from '../../carriers/index.js';
import { doctor } from '../../src/cli/doctor/doctor.js';
import { sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { lockDataDir } from '../../src/db/embedded/data-dir-lock.js';
import { migrateServer } from '../../src/db/migrate.js';
import { silentLog } from '../../src/log.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { describeOnServer } from '../db/postgres-server.js';
import { describeWithRedis } from '../ims/limits/redis-server.js';

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

function ofTheSandbox() {
  const configFile = join(folder, 'waybridge.yaml');
  writeFileSync(configFile, sandboxConfig(sandbox));
  return sandboxEnvironment(sandbox, { port: 0, configFile, dataDir: join(folder, 'data') });
}

/** What `doctor --json` says, by check, and how it ends. */
async function examined(environment: Readonly<Record<string, string>> = {}) {
  lines = [];
  process.exitCode = undefined;
  await doctor({ ...ofTheSandbox(), ...environment }, { json: true });
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

it('prints nothing but its JSON, which has what the service would warn of', async () => {
  const env = { ...process.env, ...ofTheSandbox(), OPERATOR_TOKEN: 'x7x7x7x' };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['bin/waybridge.js', 'doctor', '--json'], {
    env,
    timeout: 120_000,
  });
  const says = expect.stringContaining('OPERATOR_TOKEN is short: make one by: openssl rand -hex 24');
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    results: expect.arrayContaining([{ what: 'settings', state: 'look', says }]),
  });
  expect(stderr).toBe('');
});

describe('the folder of the embedded database', () => {
  it('is not made, only looked at', async () => {
    const { exitCode, of } = await examined({ DATA_DIR: join(folder, 'not-yet') });
    expect([exitCode, of('database')?.says]).toEqual([0, 'fine: embedded; the first start makes DATA_DIR']);
    expect(existsSync(join(folder, 'not-yet'))).toBe(false);
  });

  it('may be in use by the running service, and is told apart from one that is free', async () => {
    const DATA_DIR = join(folder, 'in-use');
    const unlock = await lockDataDir(DATA_DIR, () => undefined);
    const during = await examined({ DATA_DIR });
    await unlock();
    expect([during.ok, during.of('database')]).toEqual([
      true,
      expect.objectContaining({ state: 'ok', says: expect.stringContaining('in use by the running service') }),
    ]);
    expect((await examined({ DATA_DIR })).of('database')?.says).toContain('no process uses it');
  });

  it('ends with exit code 1 when it is a file', async () => {
    const { exitCode, of } = await examined({ DATA_DIR: join(folder, 'waybridge.yaml') });
    expect(exitCode).toBe(1);
    expect(of('database')).toMatchObject({
      state: 'problem',
      says: expect.stringContaining('name a folder in DATA_DIR'),
    });
  });
});

it('ends with exit code 1 when no server answers at DATABASE_URL, and says what to do', async () => {
  const { exitCode, of } = await examined({ DATABASE_URL: 'postgres://waybridge:hidden-0001@127.0.0.1:9/waybridge' });
  expect(exitCode).toBe(1);
  expect(of('database')).toMatchObject({
    state: 'problem',
    says: expect.stringContaining('Check that the server runs'),
  });
  expect(lines.join('\n')).not.toContain('hidden-0001');
});

describeOnServer('the database of DATABASE_URL', (server) => {
  let databases = 0;
  const run = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(text).finally(() => client.end());
    return rows as readonly Readonly<Record<string, unknown>>[];
  };
  /** A new one on the server. */
  const database = async () => {
    const name = `doctor_${(databases += 1)}`;
    await run(server(), `create database ${name}`);
    const url = server().replace(/postgres$/, name);
    return { name, url, sql: (text: string) => run(url, text) };
  };
  const examinedOn = (DATABASE_URL: string) => examined({ DATABASE_URL });

  it('is fine without tables, which doctor names and does not make, and after they are made', async () => {
    const { url, sql } = await database();
    const before = await examinedOn(url);
    expect([before.exitCode, before.of('database')?.says]).toEqual([
      0,
      expect.stringMatching(/applies \d+ .*: ledger,/),
    ]);
    expect(await sql("select to_regclass('migration') as name")).toEqual([{ name: null }]);
    await migrateServer(url, silentLog);
    const after = await examinedOn(url);
    expect(after.of('database')?.says).toBe('fine: the server answers, and its tables are up to date');
  });

  it.each([
    [
      'a newer version made the tables',
      () => "insert into migration (n, name) values (9999, 'later')",
      /later.*newer version/,
    ],
    [
      'the server only reads',
      (name: string) => `alter database ${name} set default_transaction_read_only = on`,
      /is read-only/,
    ],
  ])('ends with exit code 1 when %s', async (_what, cause, says) => {
    const { name, url, sql } = await database();
    await migrateServer(url, silentLog);
    await sql(cause(name));
    const { exitCode, of } = await examinedOn(url);
    expect([exitCode, of('database')]).toEqual([1, expect.objectContaining({ says: expect.stringMatching(says) })]);
  });

  it('ends with exit code 1 when the server has no such database', async () => {
    const { exitCode, of } = await examinedOn(server().replace(/postgres$/, 'elsewhere'));
    expect([exitCode, of('database')?.says]).toEqual([1, expect.stringContaining('check its name in DATABASE_URL')]);
  });
});

it('tells that Redis does not answer, and that bookings work', async () => {
  const { ok, of } = await examined({ REDIS_URL: 'redis://:hidden-0002@127.0.0.1:9' });
  expect([ok, of('redis')]).toEqual([
    true,
    expect.objectContaining({ state: 'look', says: expect.stringContaining('keeps to its share') }),
  ]);
  expect(lines.join('\n')).not.toContain('hidden-0002');
  expect((await examined()).of('redis')).toBeUndefined();
});

describeWithRedis('a Redis', (redis) => {
  it('is fine when it answers, and to look at when it refuses the password', async () => {
    const fine = await examined({ REDIS_URL: redis().url });
    const refused = await examined({ REDIS_URL: redis().url.replace(redis().password, 'other-0001') });
    expect(fine.of('redis')).toMatchObject({ state: 'ok', says: 'fine: answers' });
    expect(refused.of('redis')).toMatchObject({ state: 'look', says: expect.stringMatching(/WRONGPASS|NOAUTH/) });
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
  afterAll(async () => {
    const ended = once(provider, 'exit');
    provider.kill('SIGKILL');
    await ended;
  });

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
