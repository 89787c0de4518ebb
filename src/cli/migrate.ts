import { openEmbedded } from '../db/embedded/embedded.js';
import { migrate, migrateServer } from '../db/migrate.js';
import type { Log } from '../log.js';
import { settingsFor } from './settings-for.js';

export async function migrateNow(): Promise<void> {
  const { settings, log } = await settingsFor();
  const { DATABASE_URL: server, DATA_DIR: dataDir } = settings;
  const applied = await (server === undefined ? migrateEmbedded(dataDir, log) : migrateServer(server, log));
  console.log(applied.length > 0 ? `applied: ${applied.join(', ')}` : 'nothing to do: the tables are up to date');
}

async function migrateEmbedded(dataDir: string, log: Log): Promise<readonly string[]> {
  const database = await openEmbedded(dataDir, { log });
  try {
    return await migrate(database);
  } finally {
    await database.close();
  }
}
