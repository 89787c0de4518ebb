import type { Log } from '../log.js';
import type { Sql } from './database.js';

/** Says it in the log when the database may forget, with a loss of power, what it confirmed: then nothing is promised. */
export async function tellDurability(sql: Sql, log: Log): Promise<void> {
  const [set] = await sql.query<{ readonly fsync: string; readonly commit: string }>(
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`,
  );
  if (set === undefined || (set.fsync === 'on' && set.commit !== 'off')) return;
  log.warn('the database may forget what it confirmed', { fsync: set.fsync, synchronous_commit: set.commit });
}
