import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { buildChild } from '../crash/build-child.js';
import { serverDatabases } from '../crash/databases.js';
import { Stage } from '../crash/stage.js';
import { ship } from '../crash/story.js';
import { checkFinalState } from '../crash/crash-stage.js';
import { type PostgresServer, findPostgres, startPostgres, unprivileged } from '../db/postgres-server.js';
import { until } from '../support/harness.js';
import { disk, fill, makeRoom, mayMount, unmount } from './disk.js';
import { failCalls, mayTrace } from './strace.js';

const ANSWERS_OR_ENDS_WITHIN_MS = 60_000;
const SETTLES_WITHIN_MS = 240_000;
const SERVE = 'dist/bundle/main.js';
const { oneParcel } = sampleShipments;

/** Where the fault happens. */
interface Place {
  readonly server: PostgresServer;
  /** The disk of the server's data. */
  readonly path: string;
  /** Connections that nobody uses. */
  readonly idle: pg.Client[];
  /** Makes calls of the server fail. */
  tracer: ChildProcess | null;
}

interface Fault {
  readonly what: string;
  begins(place: Place): Promise<void>;
  ends(place: Place): Promise<void>;
  /** By `/readyz`. */
  readonly said: RegExp;
  /** As its last words, by a start meanwhile, unless it lives to answer as above. */
  readonly lastWords: RegExp;
  readonly needs?: 'mount' | 'prlimit' | 'strace';
}

/** A connection that may be lost. */
async function connect({ url }: PostgresServer): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** As an administrator does. */
async function administer(server: PostgresServer, ...statements: readonly string[]): Promise<void> {
  const client = await connect(server);
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

const OF_THE_SERVICE = `from pg_stat_activity where application_name = 'waybridge'`;
/** A segment of its log is full, and it needs the next one. */
const USE_LOG = [`select pg_logical_emit_message(true, 'a', 'b')`, 'select pg_switch_wal()'];
const END_SESSIONS = `select pg_terminate_backend(pid) ${OF_THE_SERVICE}`;
const setReadOnly = (to: 'on' | 'off') => [
  `alter system set default_transaction_read_only = ${to}`,
  'select pg_reload_conf()',
  END_SESSIONS,
];

/** All that the server has, so that the service has none. */
async function takeAllConnections({ server, idle }: Place): Promise<void> {
  const first = await connect(server);
  idle.push(first);
  await until('the service has no connection left', async () => {
    await first.query(END_SESSIONS);
    while (await takesAnother(server, idle));
    return (await first.query(`select 1 ${OF_THE_SERVICE}`)).rowCount === 0;
  });
}

async function takesAnother(server: PostgresServer, idle: pg.Client[]): Promise<boolean> {
  const client = await connect(server).catch(() => null);
  if (client) idle.push(client);
  return client !== null;
}

async function leaveConnections({ idle }: Place): Promise<void> {
  await Promise.all(idle.splice(0).map((client) => client.end()));
}

/** The one that starts all others first. */
function processesOf(server: PostgresServer): readonly number[] {
  const pid = server.pid();
  if (pid === null) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return [pid, ...children.filter((child) => child !== '').map(Number)];
}

/** So many files, for the server and for all its processes. */
function limitFiles({ server }: Place, most: number): void {
  const [pid, ...children] = processesOf(server);
  for (const each of [pid, ...children]) {
    const [command, ...options] = unprivileged('prlimit', ['--pid', String(each), `--nofile=${most}:`]);
    spawnSync(command, options);
  }
  expect(readFileSync(`/proc/${pid}/limits`, 'utf8')).toMatch(new RegExp(`^Max open files +${most} `, 'm'));
}

/** As of a disk that is broken: Postgres ends all its processes, and begins again from its log, which it cannot sync either. */
async function failSyncs(place: Place): Promise<void> {
  const pids = processesOf(place.server);
  place.tracer = failCalls('fsync,fdatasync', 'EIO', pids);
  await until('the server is traced', () => pids.every(isTraced));
}

function isTraced(pid: number): boolean {
  const status = `/proc/${pid}/status`;
  return !existsSync(status) || !/^TracerPid:\s+0$/m.test(readFileSync(status, 'utf8'));
}

async function stopTracing(place: Place): Promise<void> {
  const { tracer } = place;
  place.tracer = null;
  if (tracer === null || tracer.exitCode !== null || tracer.signalCode !== null) return;
  const ended = once(tracer, 'exit');
  tracer.kill();
  await ended;
}

/** It may be about to end. */
async function resumeUntilItAnswers(place: Place): Promise<void> {
  await until('the server answers', async () => {
    await resumeIfEnded(place);
    return administer(place.server, 'select 1').then(
      () => true,
      () => false,
    );
  });
}

async function resumeIfEnded({ server }: Place): Promise<void> {
  if (server.pid() === null) await server.resume();
}

const FAULTS: readonly Fault[] = [
  {
    what: 'whose disk is full',
    needs: 'mount',
    begins: async ({ path }) => fill(path),
    ends: async (place) => {
      makeRoom(place.path);
      await resumeIfEnded(place);
    },
    said: /the database does not store: .*No space left on device/,
    lastWords: /DATABASE_URL cannot be used: .*(No space left on device.*make room|init file.*its disk)/,
  },
  {
    what: 'that has ended because its disk is full',
    needs: 'mount',
    begins: async ({ server, path }) => {
      const client = await connect(server);
      fill(path);
      await until('the server has ended', async () => {
        for (const statement of USE_LOG) await client.query(statement).catch(() => undefined);
        return server.pid() === null;
      });
    },
    ends: async (place) => {
      makeRoom(place.path);
      await resumeIfEnded(place);
    },
    said: /the database does not answer/,
    lastWords: /DATABASE_URL cannot be used: .*ECONNREFUSED.*Check/,
  },
  {
    what: 'that was made read-only',
    begins: ({ server }) => administer(server, ...setReadOnly('on')),
    ends: ({ server }) => administer(server, ...setReadOnly('off')),
    said: /the database is read-only: make the server writable/,
    lastWords: /DATABASE_URL cannot be used: .*read-only.*make the server writable/,
  },
  {
    what: 'that has no connections left',
    begins: takeAllConnections,
    ends: leaveConnections,
    said: /the database does not answer/,
    lastWords: /DATABASE_URL cannot be used: .*too many clients.*raise max_connections/,
  },
  {
    what: 'that has no file descriptors left',
    needs: 'prlimit',
    begins: async (place) => {
      const client = await connect(place.server);
      limitFiles(place, 1);
      await client.query(END_SESSIONS).catch(() => undefined);
      await client.end();
    },
    ends: async (place) => {
      if (place.server.pid() !== null) limitFiles(place, 1_024);
      await resumeIfEnded(place);
    },
    said: /the database does not (answer|store)/,
    lastWords: /DATABASE_URL cannot be used: .*Check that the server runs/,
  },
  {
    what: 'whose disk does not sync',
    needs: 'strace',
    begins: failSyncs,
    ends: async (place) => {
      await stopTracing(place);
      await resumeUntilItAnswers(place);
    },
    said: /the database does not (answer|store)/,
    // The connection breaks, or the server says first which file it could not sync.
    lastWords: /DATABASE_URL cannot be used: .*(Check that the server runs|could not fdatasync.*its disk fails)/,
  },
];

const mayLimit = spawnSync('prlimit', ['--version']).status === 0;
const bin = findPostgres();
if (bin === null) process.stderr.write('storage faults of a server: skipped, no initdb and postgres were found\n');
else if (!mayMount) process.stderr.write('a full disk of a server: skipped, this machine does not allow mount\n');
if (bin !== null && !mayTrace)
  process.stderr.write('a disk of a server that does not sync: skipped, this machine does not allow strace\n');

const IS_POSSIBLE = { mount: mayMount, prlimit: mayLimit, strace: mayTrace };

function isPossible({ needs }: Fault): boolean {
  return bin !== null && (needs === undefined || IS_POSSIBLE[needs]);
}

let folder: string;
let program: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-storage-'));
  // The server has a user of its own.
  chmodSync(folder, 0o755);
  program = await buildChild();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function onServer({ needs }: Fault, play: (stage: Stage, place: Place) => Promise<void>): Promise<void> {
  if (bin === null) throw new Error('there is no server');
  const path =
    needs === 'mount'
      ? disk(folder, `disk-${randomBytes(4).toString('hex')}`, 200)
      : mkdtempSync(join(folder, 'plain-'));
  chmodSync(path, 0o777);
  const server = await startPostgres(bin, path, needs === 'strace' ? [] : undefined);
  const place: Place = { server, path, idle: [], tracer: null };
  const { environment } = await (await serverDatabases(server.url)).fresh();
  const stage = await Stage.open({ program, database: { environment, drop: async () => undefined } });
  try {
    await play(stage, place);
  } finally {
    await stage.close();
    await leaveConnections(place);
    await stopTracing(place);
    makeRoom(path);
    await server.stop();
    if (needs === 'mount') unmount(path);
    rmSync(path, { recursive: true });
  }
}

/** Of no interest, and as large as events come. @returns how it was answered; `null`: not at all */
async function postEvent(url: string): Promise<number | null> {
  const padding = randomBytes(8_000).toString('base64');
  const event = { eventId: `e-${randomBytes(8).toString('hex')}`, contextId: '1', eventType: 'noted', padding };
  const headers = { authorization: `Bearer ${sandboxSecrets.EVENTS_SECRET}`, 'content-type': 'application/json' };
  const answer = await ask(`${url}/events`, { method: 'POST', headers, body: JSON.stringify(event) });
  return answer?.status ?? null;
}

async function ask(url: string, request: RequestInit = {}): Promise<{ status: number; text: string } | null> {
  const signal = AbortSignal.timeout(ANSWERS_OR_ENDS_WITHIN_MS);
  const answer = await fetch(url, { ...request, signal }).catch(() => null);
  return answer && { status: answer.status, text: await answer.text() };
}

/** That it takes nothing, and says why. */
async function saysSo(url: string, said: RegExp): Promise<boolean> {
  const posted = await postEvent(url);
  const ready = await ask(`${url}/readyz`);
  return posted === 503 && ready?.status === 503 && said.test(ready.text);
}

interface Served {
  /** With its exit code; `null`: it was killed. */
  readonly ended: Promise<number | null>;
  output(): string;
  isAlive(): boolean;
  kill(): void;
}

/** As it is started in earnest. */
function serve(environment: Readonly<Record<string, string>>): Served {
  const child = spawn(process.execPath, ['--liftoff-only', SERVE, 'serve'], { env: { ...environment } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return { ended, output: () => output, isAlive, kill: () => void child.kill('SIGKILL') };
}

describe.each(FAULTS)('with a server $what', (fault) => {
  // Each has a server of its own.
  const itHere = isPossible(fault) ? it.concurrent : it.skip;
  itHere(
    'the service takes nothing and says so while it works, and after the repair everything accepted ends, none of it twice',
    () =>
      onServer(fault, async (stage, place) => {
        const { service } = await stage.start();
        for (let n = 0; n < 3; n += 1) ship(stage.sandbox, oneParcel, 'Pretend');
        await fault.begins(place);
        const isSeen = async () => {
          ship(stage.sandbox, oneParcel, 'Pretend');
          return !service.isAlive || (await saysSo(stage.urlOf(0), fault.said));
        };
        await until('it says so, or has ended', isSeen, ANSWERS_OR_ENDS_WITHIN_MS);
        if (service.isAlive) expect((await ask(`${stage.urlOf(0)}/healthz`))?.status).toBe(200);
        await fault.ends(place);
        if (!service.isAlive) await stage.start();
        const rows = await stage.settle(SETTLES_WITHIN_MS);
        expect(checkFinalState(await stage.context(rows))).toEqual([]);
        expect(rows.consignments.length).toBeGreaterThan(3);
        expect(rows.consignments.filter(({ state }) => state !== 'closed')).toEqual([]);
        await until('it is ready', async () => (await ask(`${stage.urlOf(0)}/readyz`))?.status === 200);
      }),
    400_000,
  );

  itHere(
    'the service says so when it starts, and after the repair it books',
    () =>
      onServer(fault, async (stage, place) => {
        await fault.begins(place);
        const served = serve(stage.environmentOf(0));
        const isSeen = async () => !served.isAlive() || (await saysSo(stage.urlOf(0), fault.said));
        await until('it says so, or has ended', isSeen, ANSWERS_OR_ENDS_WITHIN_MS).finally(served.kill);
        // Lives to say so, or has ended by itself.
        const code = await served.ended;
        if (code !== null) expect([code, served.output()]).toEqual([1, expect.stringMatching(fault.lastWords)]);
        await fault.ends(place);
        await stage.start();
        ship(stage.sandbox, oneParcel, 'Pretend');
        expect(checkFinalState(await stage.context(await stage.settle(SETTLES_WITHIN_MS)))).toEqual([]);
      }),
    400_000,
  );
});
