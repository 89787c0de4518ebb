import type { Log } from '../log.js';
import type { Sql } from './database.js';

/**
 * Logs a warning when the database's settings let a power failure undo confirmed commits: the guarantees do not hold
 * then.
 */
export async function tellDurability(sql: Pick<Sql, 'query'>, log: Log): Promise<void> {
  const [set] = await sql.query<{ readonly fsync: string; readonly commit: string }>(
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`,
  );
  if (set === undefined || (set.fsync === 'on' && set.commit !== 'off')) return;
  log.warn('the database may forget what it confirmed', { fsync: set.fsync, synchronous_commit: set.commit });
}
