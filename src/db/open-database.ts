import type { Database } from './database.js';
import { tellDurability } from './durability.js';
import { migrate, migrateServer } from './migrate.js';
import { requireDataKeys } from './sealing/data-keys.js';
import { ringOf } from './sealing/key-ring.js';
import { sealedDatabase, unsealedDatabase } from './sealing/sealed-database.js';
import type { Log } from '../log.js';

/**
 * Opens the database that the settings name and migrates it. Loads only the code of that kind of database.
 * @param seam wraps the database, for tests
 * @throws DataDirInUse | StorageFailure | ServerUnusable
 * @throws DataKeyMismatch the database needs another key than `DATA_KEY` has
 */
export async function openDatabase(
  settings: { readonly DATABASE_URL?: string; readonly DATA_DIR: string; readonly DATA_KEY?: string },
  log: Log,
  seam: (database: Database) => Database = (opened) => opened,
): Promise<Database> {
  const { DATABASE_URL: url, DATA_DIR: dataDir } = settings;
  const ring = ringOf(settings.DATA_KEY);
  const opened = await (url === undefined ? openEmbedded(dataDir, log) : openServer(url, log));
  const database = seam(opened);
  if (url === undefined) await migrate(database);
  else await migrateServer(url, log);
  await tellDurability(opened, log);
  await requireDataKeys(opened, ring).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  return ring === null ? unsealedDatabase(database) : sealedDatabase(database, ring);
}

async function openEmbedded(dataDir: string, log: Log): Promise<Database> {
  return (await import('./embedded/embedded.js')).openEmbedded(dataDir, { log });
}

async function openServer(url: string, log: Log): Promise<Database> {
  return (await import('./postgres.js')).openPostgres(url, log);
}
