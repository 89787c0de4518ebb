import type { Sql } from '../db/database.js';
import { named } from '../db/named.js';

export interface SessionRow {
  readonly operator: string;
  readonly token_print: string;
  readonly created_at: Date;
  readonly used_at: Date;
}

export interface NewSession {
  readonly idHash: string;
  readonly operator: string;
  readonly tokenPrint: string;
  readonly now: Date;
}

export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
  await sql.query(
    ...named(
      `insert into session (id_hash, operator, token_print, created_at, used_at)
       values (:idHash, :operator, :tokenPrint, :now, :now)`,
      { ...session },
    ),
  );
}

export async function findSession(sql: Sql, idHash: string): Promise<SessionRow | null> {
  const [row] = await sql.query<SessionRow>(
    'select operator, token_print, created_at, used_at from session where id_hash = $1',
    [idHash],
  );
  return row ?? null;
}

export async function useSession(sql: Sql, idHash: string, now: Date): Promise<void> {
  await sql.query('update session set used_at = $2 where id_hash = $1', [idHash, now]);
}

export async function deleteSession(sql: Sql, idHash: string): Promise<void> {
  await sql.query('delete from session where id_hash = $1', [idHash]);
}

/** Deletes sessions that were begun, or used last, before these times. */
export async function deleteOldSessions(sql: Sql, before: { begun: Date; used: Date }): Promise<void> {
  await sql.query('delete from session where created_at < $1 or used_at < $2', [before.begun, before.used]);
}
