import PgBoss from 'pg-boss';
import type { Database, Sql } from '../db/database.js';
import type { Log } from '../log.js';

const QUEUE = 'wake-up';
const BATCH = 200;
/** For wake-ups of other instances; our own arrive at once by `deliverNow`. */
const POLL_SECONDS = 0.5;

/**
 * Wakes whoever is to look at a row of the ledger. A wake-up may be lost, late or doubled; the ledger decides what is
 * to be done.
 */
export interface WakeUps {
  /** Stored with the caller's transaction: sent when that commits, or not at all. */
  send(sql: Sql, ids: readonly string[]): Promise<void>;
  /** After the commit: have this process fetch what is there without waiting for the next poll. */
  deliverNow(): void;
  stop(): Promise<void>;
}

/** Starts pg-boss on the ledger's own database. `wake` must return at once. */
export async function startWakeUps(
  database: Database,
  wake: (ids: readonly string[]) => void,
  log: Log,
): Promise<WakeUps> {
  const boss = new PgBoss({
    db: executor(database),
    schedule: false,
    retentionHours: 1,
    archiveCompletedAfterSeconds: 60,
    deleteAfterHours: 1,
  });
  boss.on('error', (error) => log.warn('queue error', { error }));
  await boss.start();
  await boss.createQueue(QUEUE);
  const worker = await boss.work<{ id: string }>(
    QUEUE,
    { batchSize: BATCH, pollingIntervalSeconds: POLL_SECONDS },
    async (jobs) => wake(jobs.map((job) => job.data.id)),
  );
  return {
    send: async (sql, ids) => {
      if (ids.length === 0) return;
      // The type asks for a whole database; sending uses the executor alone.
      await boss.insert(
        ids.map((id) => ({ name: QUEUE, data: { id }, retryLimit: 0 })),
        { db: executor(sql) },
      );
    },
    deliverNow: () => boss.notifyWorker(worker),
    stop: () => boss.stop({ graceful: false, close: false }),
  };
}

function executor(sql: Sql) {
  return {
    executeSql: async (text: string, values?: unknown[]) => {
      if (values && values.length > 0) return { rows: [...(await sql.query<object>(text, values))] };
      if (!isScript(text)) return { rows: [...(await sql.query<object>(text))] };
      await sql.script(text);
      return { rows: [] };
    },
  };
}

/** pg-boss sends its migrations as several statements at once, which cannot be prepared. */
function isScript(text: string): boolean {
  return /;\s*\S/.test(text);
}
