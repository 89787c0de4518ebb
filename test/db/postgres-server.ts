import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../src/cli/sandbox/child-service.js';

/** Postgres refuses to run as root; this is the user "nobody" nearly everywhere. */
const NOBODY = 65_534;
const DEBIAN = '/usr/lib/postgresql';
const STARTS_WITHIN_MS = 90_000;
const MAX_PORTS = 3;
/** The folder for temporary files that `test/support/in-memory.js` makes for a run and removes after it. */
const OF_THE_RUN = /^\/dev\/shm\/waybridge-\d+-/;

export interface PostgresServer {
  readonly url: string;
  /** Of the process that starts all others; `null`: it has ended, by itself or stopped. */
  pid(): number | null;
  /** As an administrator stops it at once: every connection is cut. What it keeps stays. */
  halt(): Promise<void>;
  /** Starts it again, at the same address. @returns when it answers */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Where `initdb` and `postgres` are on this machine; `null`: nowhere we know of. */
export function findPostgres(): string | null {
  const path = (process.env['PATH'] ?? '').split(delimiter);
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  const complete = (folder: string) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)));
  const found = [...path, ...versions].find(complete) ?? null;
  return isRoot() && !existsSync('/usr/bin/setpriv') ? null : found;
}

/**
 * A server of its own, on loopback.
 * @param place the folder in which it makes its own; its user must be allowed to look into it
 * @param more what `postgres` is told besides; otherwise nothing is synced, which is faster
 */
export async function startPostgres(
  bin: string,
  place = tmpdir(),
  more: readonly string[] = ['-F'],
): Promise<PostgresServer> {
  const folder = folderOfServers(place);
  const data = placeData(bin, folder);
  const [command, ...before] = unprivileged(join(bin, 'postgres'), ['-D', data, '-k', '', '-h', '127.0.0.1']);
  const launchAt = async (port: number) => {
    const launched = spawn(command, [...before, '-p', String(port), ...more], { stdio: 'ignore', cwd: folder });
    await answers(urlOf(port), launched);
    return launched;
  };
  const { port, launched } = await atFreePort(launchAt);
  const launch = () => launchAt(port);
  let server = launched;
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  const halt = async () => {
    if (hasEnded()) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  };
  return {
    url: urlOf(port),
    pid: () => (hasEnded() ? null : (server.pid ?? null)),
    halt,
    resume: async () => {
      server = await launch();
    },
    stop: async () => {
      await halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Puts the files of a new server into the folder. They are made once for all tests of a run: copying them takes an eighth of the
 * computing.
 * @returns their own folder
 */
function placeData(bin: string, folder: string): string {
  if (!OF_THE_RUN.test(tmpdir())) return makeData(bin, folder);
  const prepared = join(tmpdir(), 'postgres-data');
  const data = join(folder, 'data');
  if (!existsSync(prepared)) prepareData(bin, prepared);
  // With their owner.
  execFileSync('cp', ['-a', prepared, data]);
  return data;
}

function prepareData(bin: string, prepared: string): void {
  const folder = folderOfServers(tmpdir());
  try {
    renameSync(makeData(bin, folder), prepared);
  } catch (error) {
    // Another process of Jest may have been faster: its files are as good.
    if (!existsSync(prepared)) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeData(bin: string, folder: string): string {
  const data = join(folder, 'data');
  const [command, ...options] = unprivileged(join(bin, 'initdb'), ['-D', data, '-U', 'waybridge', '-A', 'trust', '-N']);
  execFileSync(command, options, { stdio: 'ignore', cwd: folder });
  return data;
}

/** @returns a new folder that belongs to the user that servers run as */
function folderOfServers(place: string): string {
  const folder = mkdtempSync(join(place, 'waybridge-postgres-'));
  if (isRoot()) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** As the user that servers run as. */
export function unprivileged(command: string, options: readonly string[]): readonly [string, ...string[]] {
  if (!isRoot()) return [command, ...options];
  return ['/usr/bin/setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', command, ...options];
}

function urlOf(port: number): string {
  return `postgres://waybridge@127.0.0.1:${port}/postgres`;
}

/** Another test may listen on the port by the time that the server does, which ends then. */
async function atFreePort(launchAt: (port: number) => Promise<ChildProcess>) {
  for (let attempts = 1; ; attempts += 1) {
    const port = await freePort();
    try {
      return { port, launched: await launchAt(port) };
    } catch (error) {
      if (attempts === MAX_PORTS) throw error;
    }
  }
}

async function answers(url: string, server: ChildProcess): Promise<void> {
  const end = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (Date.now() > end || server.exitCode !== null) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

/** The same tests on a real server; named as skipped, with the reason, where this machine has none. */
export function describeOnServer(
  what: string,
  describeWith: (url: () => string, server: () => PostgresServer) => void,
): void {
  const bin = findPostgres();
  if (bin === null) {
    process.stderr.write(`${what} in a Postgres server: skipped, no initdb and postgres were found on this machine\n`);
    describe(`${what} in a Postgres server`, () => {
      it.skip('skipped: no initdb and postgres were found on this machine', () => undefined);
    });
    return;
  }
  describe('with a server', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres(bin);
    });
    afterAll(async () => server?.stop());
    describeWith(
      () => server.url,
      () => server,
    );
  });
}
