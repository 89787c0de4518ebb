import type { Log } from '../../log.js';
import type { Sql } from '../database.js';

const EVERY_MS = 10_000;
/** How long to wait for a moment in which no statement waits; after it, the table is vacuumed in any case. */
const QUIET_WITHIN_MS = 60_000;
const LOOKS_AGAIN_AFTER_MS = 100;
/** A table is vacuumed when it has more dead rows than this number and a fifth of its living rows together. */
const FEWEST_DEAD = 500;
/** A table is analysed when it has more changed rows than this number and a tenth of its living rows together. */
const FEWEST_CHANGED = 500;
/** An analysis reads 300 times as many rows: of a large table in a tenth of a second instead of a whole one. */
const STATISTICS_TARGET = 10;
/**
 * Log that is written between two checkpoints: a start after a crash reads it, and a checkpoint writes its changes, in
 * less than a second.
 */
const CHECKPOINT_AFTER_BYTES = 16_000_000;

interface Kept {
  readonly database: Pick<Sql, 'query' | 'script'>;
  /** Whether no statement runs or waits. */
  isQuiet(): boolean;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Vacuums and analyses the embedded database and makes its checkpoints, because the background processes of a Postgres
 * server do not run in it. Without vacuum, every change of a row makes its table larger for good; without analysis, a
 * statement keeps the plan that it got while its table was empty, a sequential scan; without checkpoints, the log
 * (`pg_wal`) grows for ever. Vacuums one table at a time, the one with the most dead rows, and analyses one, the one with
 * the most changes, in a moment in which no statement waits. A failure is logged and tried again; a failure that ends the
 * database is handled where statements run.
 *
 * The time of one vacuum has no limit: it blocks the process, so that not even `statement_timeout` ends it. A table of
 * 244 MB, half of its rows dead, took 1.8 s on 2 cores (of 25 MB 0.2 s); docs/decisions/0029.
 * @returns stops it; resolves when the running statement has ended or failed
 */
export function keepInOrder({ database, isQuiet, log }: Kept): () => Promise<void> {
  let due = performance.now() + EVERY_MS;
  let running: Promise<void> = Promise.resolve();
  const look = () => {
    const now = performance.now();
    if (now < due || (!isQuiet() && now < due + QUIET_WITHIN_MS)) return;
    due = Infinity;
    running = tidy(database, log).finally(() => (due = performance.now() + EVERY_MS));
  };
  const timer = setInterval(look, LOOKS_AGAIN_AFTER_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Never rejects. */
async function tidy(database: Kept['database'], log: Kept['log']): Promise<void> {
  await checkpointWhenDue(database).catch((error: unknown) => log.warn('checkpoint failed', { error }));
  await vacuumWorst(database).catch((error: unknown) => log.warn('vacuum failed', { error }));
  await analyseMostChanged(database).catch((error: unknown) => log.warn('analyse failed', { error }));
}

async function checkpointWhenDue({ query, script }: Kept['database']): Promise<void> {
  const [log] = await query<{ readonly since: number }>(
    'select (pg_current_wal_lsn() - redo_lsn)::float8 as since from pg_control_checkpoint()',
  );
  if (log && log.since > CHECKPOINT_AFTER_BYTES) await script('checkpoint');
}

async function vacuumWorst({ query, script }: Kept['database']): Promise<void> {
  // Postgres stores long values in a separate TOAST table.
  const [worst] = await query<{ readonly name: string }>(
    `select quote_ident(s.schemaname) || '.' || quote_ident(s.relname) as name
     from pg_stat_user_tables s
     join pg_class c on c.oid = s.relid
     left join pg_stat_all_tables t on t.relid = c.reltoastrelid
     where s.n_dead_tup > $1 + s.n_live_tup / 5 or t.n_dead_tup > $1 + t.n_live_tup / 5
     order by s.n_dead_tup + coalesce(t.n_dead_tup, 0) desc
     limit 1`,
    [FEWEST_DEAD],
  );
  if (worst) await script(`vacuum ${worst.name}`);
}

/** Analyses the table that changed most: Postgres then plans the statements that read it again when they run next. */
async function analyseMostChanged({ query, script }: Kept['database']): Promise<void> {
  const [changed] = await query<{ readonly name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(relname) as name
     from pg_stat_user_tables
     where n_mod_since_analyze > $1 + n_live_tup / 10
     order by n_mod_since_analyze desc
     limit 1`,
    [FEWEST_CHANGED],
  );
  if (changed) await script(`set default_statistics_target = ${STATISTICS_TARGET}; analyze ${changed.name}`);
}
