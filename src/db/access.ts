import type { Sql } from './database.js';

/** A standby, and a server that was set to read-only, answer and store nothing. */
export async function access(sql: Sql): Promise<'writable' | 'read-only'> {
  const [row] = await sql.query<{ off: boolean }>("select current_setting('transaction_read_only') = 'off' as off");
  return row?.off === true ? 'writable' : 'read-only';
}
