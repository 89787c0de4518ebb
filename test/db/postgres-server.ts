import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../src/cli/sandbox/child-service.js';

/** Postgres refuses to run as root; this is the user "nobody" nearly everywhere. */
const NOBODY = 65_534;
const DEBIAN = '/usr/lib/postgresql';
const STARTS_WITHIN_MS = 90_000;

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
  const folder = mkdtempSync(join(place, 'waybridge-postgres-'));
  if (isRoot()) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, 'data');
  const [initdb, ...initdbArguments] = unprivileged(join(bin, 'initdb'), [
    '-D',
    data,
    '-U',
    'waybridge',
    '-A',
    'trust',
    '-N',
  ]);
  execFileSync(initdb, initdbArguments, { stdio: 'ignore', cwd: folder });
  const port = await freePort();
  // Without a socket: its path would be longer than sockets may have, where the temporary folder has a long one.
  const options = ['-D', data, '-k', '', '-h', '127.0.0.1', '-p', String(port), ...more];
  const [command, ...commandArguments] = unprivileged(join(bin, 'postgres'), options);
  const url = `postgres://waybridge@127.0.0.1:${port}/postgres`;
  const launch = async () => {
    const launched = spawn(command, commandArguments, { stdio: 'ignore', cwd: folder });
    await answers(url, launched);
    return launched;
  };
  let server = await launch();
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  const halt = async () => {
    if (hasEnded()) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  };
  return {
    url,
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

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** As the user that servers run as. */
export function unprivileged(command: string, options: readonly string[]): readonly [string, ...string[]] {
  if (!isRoot()) return [command, ...options];
  return ['/usr/bin/setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', command, ...options];
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
