import { createHash } from 'node:crypto';
import type { Log } from '../log.js';
import { holdUntilCommit } from './advisory-locks.js';
import { type Database, DatabaseUnavailable, type Sql } from './database.js';
import { ledger } from './migrations/0001-to-0009/0001-ledger.js';
import { instances } from './migrations/0001-to-0009/0002-instances.js';
import { lostEvents } from './migrations/0001-to-0009/0003-lost-events.js';
import { tracking } from './migrations/0001-to-0009/0004-tracking.js';
import { carrierSettings } from './migrations/0001-to-0009/0005-carrier-settings.js';
import { waitingNotices } from './migrations/0001-to-0009/0006-waiting-notices.js';
import { onwardAndHandover } from './migrations/0001-to-0009/0007-onward-and-handover.js';
import { asking } from './migrations/0001-to-0009/0008-asking.js';
import { indexes } from './migrations/0001-to-0009/0009-indexes.js';
import { consignmentNotes } from './migrations/0010-to-0019/0010-consignment-notes.js';
import { trackingMends } from './migrations/0010-to-0019/0011-tracking-mends.js';
import { trackingNumberIndex } from './migrations/0010-to-0019/0012-tracking-number-index.js';
import { turns } from './migrations/0010-to-0019/0013-turns.js';
import { lists } from './migrations/0010-to-0019/0014-lists.js';
import { parcelNumbers } from './migrations/0010-to-0019/0015-parcel-numbers.js';
import { carrierCircuits } from './migrations/0010-to-0019/0016-carrier-circuits.js';
import { refusedCarriers } from './migrations/0010-to-0019/0017-refused-carriers.js';
import { carrierName } from './migrations/0010-to-0019/0018-carrier-name.js';
import { tableNames } from './migrations/0010-to-0019/0019-table-names.js';
import { returnLabels } from './migrations/0020-to-0029/0020-return-labels.js';
import { operators } from './migrations/0020-to-0029/0021-operators.js';
import { operatorLists } from './migrations/0020-to-0029/0022-operator-lists.js';
import { alerts } from './migrations/0020-to-0029/0023-alerts.js';
import { inbox } from './migrations/0020-to-0029/0024-inbox.js';
import { retention } from './migrations/0020-to-0029/0025-retention.js';
import { consignmentRequests } from './migrations/0020-to-0029/0026-consignment-requests.js';
import { dataKeys } from './migrations/0020-to-0029/0027-data-keys.js';
import { numbers } from './migrations/0020-to-0029/0028-numbers.js';
import { returnsInDoubt } from './migrations/0020-to-0029/0029-returns-in-doubt.js';
import { lastPolls } from './migrations/0030-to-0039/0030-last-polls.js';
import { trackingFeeds } from './migrations/0030-to-0039/0031-tracking-feeds.js';
import { webhookIds } from './migrations/0030-to-0039/0032-webhook-ids.js';
import { refusedLogins } from './migrations/0030-to-0039/0033-refused-logins.js';
import { webhookIdsWritten } from './migrations/0030-to-0039/0034-webhook-ids-written.js';
import { refusedUntracked } from './migrations/0030-to-0039/0035-refused-untracked.js';
import { feedCarriers } from './migrations/0030-to-0039/0036-feed-carriers.js';
import { untoldWorkers } from './migrations/0030-to-0039/0037-untold-workers.js';
import { SchemaMismatch } from './schema-mismatch.js';
import { ServerUnusable } from './server-unusable.js';

interface Migration {
  readonly n: number;
  readonly name: string;
  readonly script: string;
  /** Checksums of earlier texts of this migration; databases made by them are valid. */
  readonly formerly?: readonly string[];
}

/** The checksum of migration 1 without the column that migration 18 adds. */
const FIRST_LEDGER = '164b648f66745db551aa57880738cf283b948567bbe37f7b151a1e7e7c7596e6';

/** Numbered, never edited, additive. */
const migrations: readonly Migration[] = [
  { n: 1, name: 'ledger', script: ledger, formerly: [FIRST_LEDGER] },
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
  { n: 15, name: 'parcel-numbers', script: parcelNumbers },
  { n: 16, name: 'carrier-circuits', script: carrierCircuits },
  { n: 17, name: 'refused-carriers', script: refusedCarriers },
  { n: 18, name: 'carrier-name', script: carrierName },
  { n: 19, name: 'table-names', script: tableNames },
  { n: 20, name: 'return-labels', script: returnLabels },
  { n: 21, name: 'operators', script: operators },
  { n: 22, name: 'operator-lists', script: operatorLists },
  { n: 23, name: 'alerts', script: alerts },
  { n: 24, name: 'inbox', script: inbox },
  { n: 25, name: 'retention', script: retention },
  { n: 26, name: 'consignment-requests', script: consignmentRequests },
  { n: 27, name: 'data-keys', script: dataKeys },
  { n: 28, name: 'numbers', script: numbers },
  { n: 29, name: 'returns-in-doubt', script: returnsInDoubt },
  { n: 30, name: 'last-polls', script: lastPolls },
  { n: 31, name: 'tracking-feeds', script: trackingFeeds },
  { n: 32, name: 'webhook-ids', script: webhookIds },
  { n: 33, name: 'refused-logins', script: refusedLogins },
  { n: 34, name: 'webhook-ids-written', script: webhookIdsWritten },
  { n: 35, name: 'refused-untracked', script: refusedUntracked },
  { n: 36, name: 'feed-carriers', script: feedCarriers },
  { n: 37, name: 'untold-workers', script: untoldWorkers },
];

/** The migrations up to a version, for tests of upgrades. */
export function migrationsUpTo(last: number): readonly string[] {
  return migrations.filter(({ n }) => n <= last).map(({ script }) => script);
}

/** An index over millions of rows takes minutes; other instances wait for the lock as long. */
const MIGRATION_TIMEOUT_MS = 30 * 60_000;
/** A process that starts on a busy machine can stand still for seconds between two statements. */
const MIGRATION_IDLE_MS = 60_000;

/**
 * Brings the tables up to date; safe to run by many instances at once. Nothing is changed when it throws.
 * @param tell hears each migration's name before it is applied, with how many are applied and how many there are
 * @returns the names of the migrations that were applied now
 * @throws SchemaMismatch a newer version, or other migrations than these, made the tables
 */
export async function migrate(database: Database, tell: TellMigration = () => undefined): Promise<readonly string[]> {
  return database.transaction(async (sql) => {
    await holdUntilCommit(sql, 'migrations');
    await sql.script(
      `create table if not exists migration (n int primary key, name text not null, applied_at timestamptz not null default now());
       alter table migration add column if not exists checksum text;`,
    );
    const applied = await sql.query<Applied>('select n, name, checksum from migration order by n');
    requireKnown(applied);
    await takeOver(sql, applied);
    const done = new Set(applied.map(({ n }) => n));
    const missing = migrations.filter((migration) => !done.has(migration.n));
    for (const [place, { n, name, script }] of missing.entries()) {
      tell(name, place, missing.length);
      await sql.script(script);
      await sql.query('insert into migration (n, name, checksum) values ($1, $2, $3)', [n, name, checksumOf(script)]);
    }
    return missing.map((migration) => migration.name);
  });
}

/**
 * Reads which migrations the tables lack, and changes nothing.
 * @returns their names; all of them for a database without tables
 * @throws SchemaMismatch as `migrate`
 */
export async function missingMigrations(sql: Sql): Promise<readonly string[]> {
  const [ledgerTable] = await sql.query<{ there: boolean }>("select to_regclass('migration') is not null as there");
  // The oldest versions had no column for checksums.
  const read = `select n, name, to_jsonb(migration) ->> 'checksum' as checksum from migration order by n`;
  const applied = ledgerTable?.there === true ? await sql.query<Applied>(read) : [];
  requireKnown(applied);
  return migrations.filter(({ n }) => !applied.some((row) => row.n === n)).map(({ name }) => name);
}

export type TellMigration = (name: string, applied: number, of: number) => void;

/** A row of the table of applied migrations. */
interface Applied {
  readonly n: number;
  readonly name: string;
  /** `null`: applied by a version that stored no checksums. */
  readonly checksum: string | null;
}

function checksumOf(script: string): string {
  return createHash('sha256').update(script).digest('hex');
}

/** @throws SchemaMismatch */
function requireKnown(applied: readonly Applied[]): void {
  const inWords = (rows: readonly Applied[]) => rows.map(({ n, name }) => `${n} (${name})`).join(', ');
  const newer = applied.filter(({ n }) => !migrations.some((migration) => migration.n === n));
  if (newer.length > 0)
    throw new SchemaMismatch(
      `the database has migrations that this version does not know: ${inWords(newer)}. A newer version has brought its ` +
        'tables up to date: start that version, or restore a backup that was made before it. Nothing was changed',
    );
  const other = applied.filter(({ n, checksum }) => checksum !== null && !accepted(n).includes(checksum));
  if (other.length > 0)
    throw new SchemaMismatch(
      `the tables of the database were made by another text of migration ${inWords(other)} than the one of this version. ` +
        'Start the version that made them, or restore a backup. Nothing was changed',
    );
}

function accepted(n: number): readonly string[] {
  return migrations.flatMap((each) => (each.n === n ? [checksumOf(each.script), ...(each.formerly ?? [])] : []));
}

/** Earlier versions stored no checksums; their migrations count as unchanged. */
async function takeOver(sql: Sql, applied: readonly Applied[]): Promise<void> {
  for (const { n, script } of migrations) {
    if (!applied.some((row) => row.n === n && row.checksum === null)) continue;
    await sql.query('update migration set checksum = $2 where n = $1', [n, checksumOf(script)]);
  }
}

/**
 * Migrates a server as `migrate` does, with the long timeouts that a large database needs.
 * @throws ServerUnusable
 */
export async function migrateServer(url: string, log: Log, tell?: TellMigration): Promise<readonly string[]> {
  const { openPostgres } = await import('./postgres.js');
  const database = openPostgres(url, log, { statementMs: MIGRATION_TIMEOUT_MS, idleMs: MIGRATION_IDLE_MS });
  try {
    return await migrate(database, tell);
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? new ServerUnusable(error) : error;
  } finally {
    await database.close();
  }
}
