import type { Database, Sql } from './database.js';

/** A standby, and a server that was set to read-only, answer and store nothing. */
export async function access(sql: Sql): Promise<'writable' | 'read-only'> {
  const [row] = await sql.query<{ off: boolean }>("select current_setting('transaction_read_only') = 'off' as off");
  return row?.off === true ? 'writable' : 'read-only';
}

/** @returns what keeps a database that answers from storing; `null`: nothing that is known */
export async function whyNotStoring(database: Database): Promise<string | null> {
  if ((await access(database)) === 'read-only')
    return 'the database is read-only: make the server writable, or have DATABASE_URL lead to the one that is';
  const refusal = database.refusal?.() ?? null;
  return refusal === null ? null : `the database does not store: "${refusal}"`;
}
