import { processEnvironment } from '../config/environment.js';
import { openEmbedded } from '../db/embedded/embedded.js';
import { requireOwn } from '../db/embedded/require-own.js';
import { type TellMigration, migrate, migrateServer } from '../db/migrate.js';
import type { Log } from '../log.js';
import { startProgress } from './progress.js';
import { settingsFor } from './settings-for.js';

export async function migrateNow(environment = processEnvironment()): Promise<void> {
  const { settings, log } = await settingsFor(environment);
  const { DATABASE_URL: server, DATA_DIR: dataDir } = settings;
  const progress = startProgress('migrations of the tables; an index over millions of rows takes minutes');
  const tell: TellMigration = (_name, applied, of) => progress.at(applied, of);
  const migrated = server === undefined ? migrateEmbedded(dataDir, log, tell) : migrateServer(server, log, tell);
  const applied = await migrated.finally(progress.end);
  console.log(applied.length > 0 ? `applied: ${applied.join(', ')}` : 'nothing to do: the tables are up to date');
}

/** @throws OfAnotherUser */
async function migrateEmbedded(dataDir: string, log: Log, tell: TellMigration): Promise<readonly string[]> {
  requireOwn(dataDir, 'migrate');
  const database = await openEmbedded(dataDir, { log });
  try {
    return await migrate(database, tell);
  } finally {
    await database.close();
  }
}
