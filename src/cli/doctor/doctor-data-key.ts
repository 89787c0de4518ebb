import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Settings, dataKeys } from '../../config/environment.js';
import type { Sql } from '../../db/database.js';
import { isDataDirInUse } from '../../db/embedded/data-dir-lock.js';
import { OfAnotherUser, requireOwn } from '../../db/embedded/require-own.js';
import { DataKeyMismatch, compareDataKeys } from '../../db/sealing/data-keys.js';
import { type KeyRing, ringOf } from '../../db/sealing/key-ring.js';
import { type Check, ToLookAt } from './report.js';
import { atServer } from './doctor-database.js';

/** Whether the start would accept the keys, as far as the database can be read. */
export async function checkDataKey(settings: Settings, check: Check): Promise<void> {
  await check('DATA_KEY', async () => {
    const { length } = dataKeys(settings);
    if ((await compared(settings)) === 'in use')
      return `${length === 0 ? 'not set' : 'set'}, and not compared with the database, which the running service uses: the next start compares`;
    if (length === 0) return 'not set: labels and addresses are not encrypted in the database';
    return `fine: labels and addresses are encrypted${length === 1 ? '' : `, with the first of ${length} keys`}`;
  });
}

/** @throws DataKeyMismatch | ToLookAt the database cannot be read */
async function compared(settings: Settings): Promise<'compared' | 'in use'> {
  const ring = ringOf(settings.DATA_KEY);
  try {
    if (settings.DATABASE_URL === undefined) return await comparedInFolder(resolve(settings.DATA_DIR), ring);
    await atServer(settings.DATABASE_URL, (database) => compare(database, ring));
    return 'compared';
  } catch (error) {
    if (error instanceof DataKeyMismatch) throw error;
    const why =
      error instanceof OfAnotherUser ? `: ${error.message}` : ', which cannot be read: see what is said of it above';
    throw new ToLookAt(`${ring === null ? 'not set' : 'set'}, and not compared with the database${why}`);
  }
}

/** The database is opened for a moment, as no other process has it open. @throws OfAnotherUser */
async function comparedInFolder(dataDir: string, ring: KeyRing | null): Promise<'compared' | 'in use'> {
  if (!existsSync(join(dataDir, 'postgres'))) return 'compared';
  if (await isDataDirInUse(dataDir)) return 'in use';
  requireOwn(dataDir, 'doctor');
  const { openEmbedded } = await import('../../db/embedded/embedded.js');
  const database = await openEmbedded(dataDir);
  try {
    await compare(database, ring);
    return 'compared';
  } finally {
    await database.close();
  }
}

/** A database that was never migrated so far holds nothing sealed. */
async function compare(sql: Sql, ring: KeyRing | null): Promise<void> {
  const [found] = await sql.query<{ there: boolean }>(`select to_regclass('data_key') is not null as there`);
  if (found?.there === true) await compareDataKeys(sql, ring);
}
