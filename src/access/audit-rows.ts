import type { Sql } from '../db/database.js';
import { named } from '../db/named.js';

/** `begun`: the process ended before it could say more, or the action still runs. `failed`: a fault of ours, or no answer. */
export type AuditResult = 'begun' | 'done' | 'refused' | 'failed';

/** One row of the audit log. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  /** `null`: the token was not known. */
  readonly operator: string | null;
  readonly action: string;
  /** The resource, e.g. `consignments/1f…`; `null`: none. */
  readonly target: string | null;
  readonly address: string | null;
  readonly result: AuditResult;
  /** The status of the HTTP answer; `null`: not answered. */
  readonly status: number | null;
  readonly detail: string | null;
}

export interface AuditFilter {
  readonly operator: string | null;
  readonly since: Date | null;
  /** Not included. */
  readonly until: Date | null;
  /** Rows before this id. */
  readonly cursor: string | null;
  readonly limit: number;
}

export async function insertAudit(sql: Sql, entry: Omit<AuditEntry, 'id'>): Promise<string> {
  const rows = await sql.query<{ id: string }>(
    ...named(
      `insert into audit (at, operator, action, target, address, result, status, detail)
       values (:at, :operator, :action, :target, :address, :result, :status, :detail) returning id::text`,
      { ...entry },
    ),
  );
  return rows[0]?.id ?? '';
}

export async function endAudit(
  sql: Sql,
  id: string,
  { result, status, detail }: Pick<AuditEntry, 'result' | 'status' | 'detail'>,
): Promise<void> {
  await sql.query('update audit set result = $2, status = $3, detail = $4 where id = $1', [id, result, status, detail]);
}

/** The newest rows that are looked through. */
const MAX_LOOKED_THROUGH = 5_000;

export function latestAudit(sql: Sql, action: string): Promise<readonly AuditEntry[]> {
  return sql.query<AuditEntry>(
    `select distinct on (target) id::text, at, operator, action, target, address, result, status, detail
       from (select * from audit order by id desc limit $2) newest
      where action = $1 and target is not null order by target, newest.id desc`,
    [action, MAX_LOOKED_THROUGH],
  );
}

/** Newest first. */
export function listAudit(sql: Sql, filter: AuditFilter): Promise<readonly AuditEntry[]> {
  return sql.query<AuditEntry>(
    ...named(
      `select id::text, at, operator, action, target, address, result, status, detail from audit
        where (:operator::text is null or operator = :operator)
          and (:since::timestamptz is null or at >= :since) and (:until::timestamptz is null or at < :until)
          and (:cursor::bigint is null or audit.id < :cursor)
        order by audit.id desc limit :limit`,
      { ...filter },
    ),
  );
}
