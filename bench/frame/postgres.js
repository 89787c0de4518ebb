// A Postgres server of its own, in a temporary folder, on loopback. It writes to disk as it would anywhere.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { freePort, start, until } from './processes.js';

/** Postgres refuses to run as root; this is the user "nobody" nearly everywhere. */
const NOBODY = 65_534;
const DEBIAN = '/usr/lib/postgresql';
const CONNECTIONS = 200;

/** @returns the folder of `initdb` and `postgres`; `null`: nowhere we know of */
export function findPostgres() {
  const versions = existsSync(DEBIAN)
    ? newestFirst(readdirSync(DEBIAN)).map((version) => join(DEBIAN, version, 'bin'))
    : [];
  const complete = (folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)));
  return [...(process.env.PATH ?? '').split(delimiter), ...versions].find(complete) ?? null;
}

function newestFirst(versions) {
  return versions.toSorted((one, other) => Number(other) - Number(one));
}

/**
 * @param settings of the server beside its own
 * @returns `database()`, the address of a new database; `folder` of its data; `end`
 * @throws Error when this machine has no Postgres
 */
export async function startPostgres(settings = {}) {
  const bin = findPostgres();
  if (bin === null) throw new Error('no initdb and postgres were found on this machine');
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-postgres-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const command = (name, words) =>
    isRoot
      ? ['setpriv', [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', join(bin, name), ...words]]
      : [join(bin, name), words];
  const data = join(folder, 'data');
  execFileSync(...command('initdb', ['-D', data, '-U', 'waybridge', '-A', 'trust', '-E', 'UTF8']), {
    stdio: 'ignore',
    cwd: folder,
  });
  const port = await freePort();
  const words = ['-D', data, '-k', '', '-h', '127.0.0.1', '-p', String(port), '-N', String(CONNECTIONS)];
  for (const [name, value] of Object.entries(settings)) words.push('-c', `${name}=${value}`);
  const server = start(...command('postgres', words), { stdio: 'ignore', cwd: folder });
  const url = `postgres://waybridge@127.0.0.1:${port}`;
  const end = async () => {
    await server.end('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  };
  await until('Postgres answers', () =>
    sql(`${url}/postgres`, 'select 1').then(
      () => true,
      () => false,
    ),
  );
  let count = 0;
  const database = async () => {
    count += 1;
    const name = `bench_${count}`;
    await sql(`${url}/postgres`, `create database ${name}`);
    return `${url}/${name}`;
  };
  return { database, folder: data, end };
}

async function sql(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
