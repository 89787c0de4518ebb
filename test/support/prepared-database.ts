import { PGlite } from '@electric-sql/pglite';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
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
  const prepared = await preparedOnce('folder', makeMigrated);
  await mkdir(dataDir, { recursive: true });
  const folder = join(dataDir, 'postgres');
  // A tenth of the time that Node takes for a thousand files.
  await promisify(execFile)('cp', ['-R', prepared, folder]);
  // Otherwise the service syncs each of these files when it starts; no test outlives a power failure.
  markSynced(folder);
}

/** A database in memory, with its tables and nothing in them, that is gone when it is closed. */
export async function openInMemory(): Promise<Database> {
  const prepared = await preparedOnce('dump', async (place) => {
    const pglite = await PGlite.create(await makeMigrated(place));
    const dump = await pglite.dumpDataDir('none');
    await pglite.close();
    await writeFile(join(place, 'dump'), dump.stream());
    return join(place, 'dump');
  });
  return openEmbedded(null, { dump: new Blob([await readFile(prepared)]) });
}

/** @returns the folder of its files */
async function makeMigrated(place: string): Promise<string> {
  const database = await openEmbedded(place);
  await migrate(database);
  await database.close();
  return join(place, 'postgres');
}

/** @param make makes it somewhere in a folder, and says where */
async function preparedOnce(kind: 'folder' | 'dump', make: (place: string) => Promise<string>): Promise<string> {
  const cache = join(MODULES, '.cache', 'waybridge-test');
  const about = JSON.parse(await readFile(join(MODULES, '@electric-sql', 'pglite', 'package.json'), 'utf8'));
  const prepared = join(cache, `pglite-${about.version}-${await tables()}${kind === 'dump' ? '.tar' : ''}`);
  if (await exists(prepared)) return prepared;
  await mkdir(cache, { recursive: true });
  const place = await mkdtemp(join(cache, 'making-'));
  // Somebody else may have been faster: theirs is as good.
  await rename(await make(place), prepared).catch(() => undefined);
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
