import type { Log } from '../../log.js';
import type { Sql } from '../database.js';

const EVERY_MS = 10_000;
/** A moment in which nothing waits for the database comes soon; where none does, the table is cleaned all the same. */
const QUIET_WITHIN_MS = 60_000;
const LOOKS_AGAIN_AFTER_MS = 100;
/** Fewer dead rows, and fewer than a fifth of the living ones, are not worth a pass over the table. */
const FEWEST_DEAD = 500;
/** What a start after a crash has to read again, and what a checkpoint has to write: less than a second of either. */
const CHECKPOINT_AFTER_BYTES = 16_000_000;

interface Vacuumed {
  readonly database: Pick<Sql, 'query' | 'script'>;
  /** Whether nothing is under way or waiting. */
  isQuiet(): boolean;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Nothing else vacuums the embedded database, and then every change of a row makes its table larger for good. Cleans one table
 * at a time, the worst one, in a moment in which nothing waits. Nor does anything else make a checkpoint, without which its log
 * (`pg_wal`) keeps all that was ever written: Postgres has a process for that, and this one runs alone. Either of
 * the two may fail, is said then, and is tried again; what ends the database is the matter of the one that runs its statements.
 *
 * One pass over a table is not bounded: nothing else of the process runs meanwhile, so not even a `statement_timeout` ends it.
 * A table of 244 MB, half of its rows dead, took 1.8 s on 2 cores (of 25 MB 0.2 s); docs/decisions/0029.
 * @returns ends it; resolves when what is under way has ended, however that ended
 */
export function keepVacuumed({ database, isQuiet, log }: Vacuumed): () => Promise<void> {
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
async function tidy(database: Vacuumed['database'], log: Vacuumed['log']): Promise<void> {
  await checkpointWhenDue(database).catch((error: unknown) => log.warn('checkpoint failed', { error }));
  await vacuumWorst(database).catch((error: unknown) => log.warn('vacuum failed', { error }));
}

async function checkpointWhenDue({ query, script }: Vacuumed['database']): Promise<void> {
  const [log] = await query<{ readonly since: number }>(
    'select (pg_current_wal_lsn() - redo_lsn)::float8 as since from pg_control_checkpoint()',
  );
  if (log && log.since > CHECKPOINT_AFTER_BYTES) await script('checkpoint');
}

async function vacuumWorst({ query, script }: Vacuumed['database']): Promise<void> {
  // Rows of a table that are too long lie in a table of their own.
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
