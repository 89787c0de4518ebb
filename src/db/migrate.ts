import type { Log } from '../log.js';
import { holdUntilCommit } from './advisory-locks.js';
import type { Database } from './database.js';
import { ledger } from './migrations/0001-ledger.js';
import { instances } from './migrations/0002-instances.js';
import { lostEvents } from './migrations/0003-lost-events.js';
import { tracking } from './migrations/0004-tracking.js';
import { carrierSettings } from './migrations/0005-carrier-settings.js';
import { waitingNotices } from './migrations/0006-waiting-notices.js';
import { onwardAndHandover } from './migrations/0007-onward-and-handover.js';
import { asking } from './migrations/0008-asking.js';
import { indexes } from './migrations/0009-indexes.js';
import { consignmentNotes } from './migrations/0010-consignment-notes.js';
import { trackingMends } from './migrations/0011-tracking-mends.js';
import { trackingNumberIndex } from './migrations/0012-tracking-number-index.js';
import { turns } from './migrations/0013-turns.js';
import { lists } from './migrations/0014-lists.js';

/** Numbered, never edited, additive. */
const migrations: readonly { readonly n: number; readonly name: string; readonly script: string }[] = [
  { n: 1, name: 'ledger', script: ledger },
  { n: 2, name: 'instances', script: instances },
  { n: 3, name: 'lost-events', script: lostEvents },
  { n: 4, name: 'tracking', script: tracking },
  { n: 5, name: 'carrier-settings', script: carrierSettings },
  { n: 6, name: 'waiting-notices', script: waitingNotices },
  { n: 7, name: 'onward-and-handover', script: onwardAndHandover },
  { n: 8, name: 'asking', script: asking },
  { n: 9, name: 'indexes', script: indexes },
  { n: 10, name: 'consignment-notes', script: consignmentNotes },
  { n: 11, name: 'tracking-mends', script: trackingMends },
  { n: 12, name: 'tracking-number-index', script: trackingNumberIndex },
  { n: 13, name: 'turns', script: turns },
  { n: 14, name: 'lists', script: lists },
];

/** An index over millions of rows takes minutes; whoever waits for it at the lock waits as long. */
const MIGRATION_TIMEOUT_MS = 30 * 60_000;

/**
 * Brings the tables up to date; safe to run by many instances at once.
 * @returns the names of what was applied now
 */
export async function migrate(database: Database): Promise<readonly string[]> {
  return database.transaction(async (sql) => {
    await holdUntilCommit(sql, 'migrations');
    await sql.script(
      'create table if not exists migration (n int primary key, name text not null, applied_at timestamptz not null default now())',
    );
    const done = new Set((await sql.query<{ n: number }>('select n from migration')).map((row) => row.n));
    const missing = migrations.filter((migration) => !done.has(migration.n));
    for (const { n, name, script } of missing) {
      await sql.script(script);
      await sql.query('insert into migration (n, name) values ($1, $2)', [n, name]);
    }
    return missing.map((migration) => migration.name);
  });
}

/** As `migrate`, with the patience that a large server needs. */
export async function migrateServer(url: string, log: Log): Promise<readonly string[]> {
  const { openPostgres } = await import('./postgres.js');
  const database = openPostgres(url, log, MIGRATION_TIMEOUT_MS);
  try {
    return await migrate(database);
  } finally {
    await database.close();
  }
}
