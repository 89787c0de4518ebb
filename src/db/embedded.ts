import { PGlite, type Transaction } from '@electric-sql/pglite';
import { join } from 'node:path';
import { lockDataDir } from './data-dir-lock.js';
import type { Database, Sql } from './database.js';

/**
 * Postgres inside this process, kept in a folder. Every commit is on disk when it returns.
 * @param dataDir `null`: in memory, for tests
 * @throws DataDirInUse
 */
export async function openEmbedded(dataDir: string | null, dump?: Blob): Promise<Database> {
  const unlock = dataDir === null ? async () => undefined : await lockDataDir(dataDir);
  const options = { relaxedDurability: false, ...(dump ? { loadDataDir: dump } : {}) };
  const pglite = await PGlite.create(dataDir === null ? 'memory://' : join(dataDir, 'postgres'), options);
  return {
    ...sqlOf(pglite),
    kind: 'embedded',
    transaction: (work) => pglite.transaction((tx) => work(sqlOf(tx))),
    close: async () => {
      await pglite.close();
      await unlock();
    },
  };
}

function sqlOf(handle: PGlite | Transaction): Sql {
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await handle.query<Row>(text, [...values])).rows,
    script: async (text) => {
      await handle.exec(text);
    },
  };
}
