import { openEmbedded } from '../db/embedded.js';
import { migrate } from '../db/migrate.js';
import { openPostgres } from '../db/postgres.js';
import { prepare } from './settings-for.js';

export async function migrateNow(): Promise<void> {
  const { settings, log } = prepare();
  const database =
    settings.DATABASE_URL === undefined
      ? await openEmbedded(settings.DATA_DIR)
      : openPostgres(settings.DATABASE_URL, log);
  try {
    const applied = await migrate(database);
    console.log(applied.length > 0 ? `applied: ${applied.join(', ')}` : 'nothing to do: the tables are up to date');
  } finally {
    await database.close();
  }
}
