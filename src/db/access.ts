import type { Database, Sql } from './database.js';

/** Whether the database stores writes; a standby, and a server that is set to read-only, only answer reads. */
export async function access(sql: Sql): Promise<'writable' | 'read-only'> {
  const [row] = await sql.query<{ off: boolean }>("select current_setting('transaction_read_only') = 'off' as off");
  return row?.off === true ? 'writable' : 'read-only';
}

/** @returns why a database that answers cannot store; `null`: no reason is known */
export async function whyNotStoring(database: Database): Promise<string | null> {
  if ((await access(database)) === 'read-only')
    return 'the database is read-only: make the server writable, or have DATABASE_URL lead to the one that is';
  const refusal = database.refusal?.() ?? null;
  return refusal === null ? null : `the database does not store: "${refusal}"`;
}
