import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { lchownSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carriers } from '../../carriers/index.js';
import { doctor } from '../../src/cli/doctor/doctor.js';
import { sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { openDatabase } from '../../src/db/open-database.js';
import { silentLog } from '../../src/log.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { describeOnServer } from '../db/postgres-server.js';

const OWNER = 54_321;
const folder = mkdtempSync(join(tmpdir(), 'waybridge-doctor-key-'));
const DATA_DIR = join(folder, 'data');
const key = () => randomBytes(32).toString('base64');
const [used, other] = [key(), key()];
let sandbox: Sandbox;
let lines: string[];

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, carriers, limits: { requestsPerSecond: null } });
  writeFileSync(join(folder, 'waybridge.yaml'), sandboxConfig(sandbox));
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  jest.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(String(line)));
});
afterEach(() => {
  process.exitCode = undefined;
  jest.restoreAllMocks();
});

/** What `doctor --json` says of DATA_KEY. */
async function saysOfKey(more: Readonly<Record<string, string>>) {
  lines = [];
  const place = { port: 0, configFile: join(folder, 'waybridge.yaml'), dataDir: DATA_DIR };
  await doctor({ ...sandboxEnvironment(sandbox, place), ...more }, { json: true });
  const { results } = JSON.parse(lines.join('\n'));
  return (results as readonly { readonly what: string }[]).find(({ what }) => what === 'DATA_KEY');
}

const FITS = { state: 'ok', says: expect.stringMatching(/^fine: labels and addresses are encrypted/) };
const REFUSED = { state: 'problem', says: expect.stringMatching(/not among the keys given/) };
const IS_MISSING = { state: 'problem', says: expect.stringMatching(/sealed with the key \w+, which is not set/) };

it('compares DATA_KEY with an embedded database as the start does, unless the running service uses it', async () => {
  expect(await saysOfKey({ DATA_KEY: used })).toMatchObject(FITS);
  const running = await openDatabase({ DATA_DIR, DATA_KEY: used }, silentLog);
  const meanwhile = await saysOfKey({ DATA_KEY: other });
  await running.close();
  expect(meanwhile).toMatchObject({
    state: 'ok',
    says: expect.stringMatching(/^set, and not compared with the database, which the running service uses/),
  });
  expect(await saysOfKey({ DATA_KEY: other })).toMatchObject(REFUSED);
  expect(await saysOfKey({})).toMatchObject(IS_MISSING);
  expect(await saysOfKey({ DATA_KEY: `${other},${used}` })).toMatchObject(FITS);
  expect(await saysOfKey({ DATA_KEY: used })).toMatchObject(FITS);
});

const mayGiveAway = process.getuid?.() === 0;

/** The folder of the embedded database, and everything in it. */
function databaseFiles(): readonly string[] {
  const database = join(DATA_DIR, 'postgres');
  const inside = readdirSync(database, { recursive: true, encoding: 'utf8' }).map((file) => join(database, file));
  return [database, ...inside];
}

if (!mayGiveAway) process.stderr.write("the data key of another user's database: skipped, only root can try it\n");

(mayGiveAway ? it : it.skip)(
  'leaves a database to the user whose folder it is, makes no file in it, and says whose it is',
  async () => {
    await (await openDatabase({ DATA_DIR, DATA_KEY: used }, silentLog)).close();
    for (const file of databaseFiles()) lchownSync(file, OWNER, OWNER);
    const said = await saysOfKey({ DATA_KEY: other });
    const owners = new Set(databaseFiles().map((file) => lstatSync(file).uid));
    for (const file of databaseFiles()) lchownSync(file, 0, 0);
    expect(said).toMatchObject({
      state: 'look',
      says: expect.stringMatching(
        /^set, and not compared .*belongs to the user with id 54321.*: run doctor as that user$/,
      ),
    });
    expect(owners).toEqual(new Set([OWNER]));
  },
);

describeOnServer('a database on a server', (server) => {
  it('is compared with DATA_KEY as at the start, also before it has tables', async () => {
    const at = { DATABASE_URL: server() };
    expect(await saysOfKey({ ...at, DATA_KEY: used })).toMatchObject(FITS);
    await (await openDatabase({ ...at, DATA_DIR, DATA_KEY: used }, silentLog)).close();
    expect(await saysOfKey({ ...at, DATA_KEY: other })).toMatchObject(REFUSED);
    expect(await saysOfKey(at)).toMatchObject(IS_MISSING);
    expect(await saysOfKey({ ...at, DATA_KEY: used })).toMatchObject(FITS);
  });
});

it('says that DATA_KEY was not compared where the server does not answer', async () => {
  const DATABASE_URL = 'postgres://waybridge:hidden-0001@127.0.0.1:9/waybridge';
  expect(await saysOfKey({ DATABASE_URL, DATA_KEY: used })).toMatchObject({
    state: 'look',
    says: expect.stringMatching(/^set, and not compared with the database, which/),
  });
});
