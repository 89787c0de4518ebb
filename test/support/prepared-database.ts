import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Database } from '../../src/db/database.js';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { markSynced } from '../../src/db/embedded/fsync-files.js';
import { migrate } from '../../src/db/migrate.js';

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const MIGRATIONS = fileURLToPath(new URL('../../src/db/migrations/', import.meta.url));

/*
 * Making a database with its tables takes seconds of computing, copying one a moment: so the first test that needs one makes
 * it for all of them.
 */

/** Puts a database, with its tables and nothing in them, where the service will look for it. */
export async function placeEmptyDatabase(dataDir: string): Promise<void> {
  const prepared = await preparedOnce();
  await mkdir(dataDir, { recursive: true });
  const folder = join(dataDir, 'postgres');
  // A tenth of the time that Node takes for a thousand files.
  await promisify(execFile)('cp', ['-R', prepared, folder]);
  // Otherwise the service syncs each of these files when it starts; no test outlives a power failure.
  markSynced(folder);
}

/** A database with its tables and nothing in them, whose files are never synced, and gone when it is closed. */
export async function openEmptyDatabase(): Promise<Database> {
  return openAside(placeEmptyDatabase);
}

/** As `openEmptyDatabase`, without tables. */
export async function openWithoutTables(): Promise<Database> {
  return openAside(async () => undefined);
}

async function openAside(prepare: (folder: string) => Promise<void>): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-database-'));
  await prepare(folder);
  const database = await openEmbedded(folder, { sync: () => undefined });
  const close = async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...database, close };
}

/** @returns the folder of its files */
async function makeMigrated(place: string): Promise<string> {
  const database = await openEmbedded(place);
  await migrate(database);
  // Half of the files, from which other databases would be made.
  await database.query("update pg_database set datistemplate = false where datname like 'template%'");
  for (const name of ['template0', 'template1']) await database.query(`drop database ${name}`);
  await database.close();
  return join(place, 'postgres');
}

/** @returns the folder of its files */
async function preparedOnce(): Promise<string> {
  const cache = join(MODULES, '.cache', 'waybridge-test');
  const about = JSON.parse(await readFile(join(MODULES, '@electric-sql', 'pglite', 'package.json'), 'utf8'));
  const prepared = join(cache, `pglite-${about.version}-${await tables()}`);
  if (await exists(prepared)) return prepared;
  await mkdir(cache, { recursive: true });
  const place = await mkdtemp(join(cache, 'making-'));
  // Another process of Jest may have been faster: its files are as good.
  await rename(await makeMigrated(place), prepared).catch(() => undefined);
  await rm(place, { recursive: true, force: true });
  return prepared;
}

/** Names what the migrations are. */
async function tables(): Promise<string> {
  const hash = createHash('sha256');
  const files = (await readdir(MIGRATIONS, { recursive: true })).filter((file) => file.endsWith('.ts'));
  for (const file of files.sort()) hash.update(await readFile(join(MIGRATIONS, file)));
  return hash.digest('hex').slice(0, 12);
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
