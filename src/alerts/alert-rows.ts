import type { Sql } from '../db/database.js';
import { asJsonb } from '../db/json.js';
import type { Lease } from '../worker/lease.js';
import {
  type AttemptEnd,
  CLAIMED,
  claimValues,
  isUnleased,
  releaseRowsOf,
  saveAttemptEnd,
} from '../worker/leased-rows.js';
import type { Trouble } from './troubles.js';

/** An alert that is being sent. */
export interface Alert {
  readonly id: string;
  /** The id of the alert: the same in every attempt, and in no other alert, also after a backup was restored. */
  readonly webhookId: string;
  readonly cause: string;
  readonly body: object;
  readonly attempts: number;
  readonly createdAt: Date;
}

export interface NewAlert {
  readonly trouble: Trouble;
  readonly body: object;
  readonly now: Date;
  /** No alert of this cause may be younger. */
  readonly quietSince: Date;
}

/**
 * What the last alert of each cause has told. Every change of it gives another text, and never an earlier one again: a
 * new alert has a greater id, and the cases that count as told only become fewer.
 */
export async function readTold(sql: Sql): Promise<string | null> {
  const [row] = await sql.query<{ readonly told: string | null }>(
    `select string_agg(concat_ws(' ', id, count), ',' order by id) as told
       from (select distinct on (cause) id, count from alert order by cause, id desc) last`,
  );
  return row?.told ?? null;
}

/**
 * Adds an alert, unless there was one of its cause since `quietSince`, or there was no new case since the last one that
 * was not given up. Cases that ended since do not count as told any more: each may fail again, also an older one.
 */
export async function addAlert(sql: Sql, { trouble, body, now, quietSince }: NewAlert): Promise<void> {
  // Where the newest case of an alert has ended, one case fewer counts as told, however many cases there are now.
  await sql.query(
    `update alert set count = least(count - (newest collate "C" > $3)::int, $2), newest = least(newest collate "C", $3)
      where cause = $1 and (count > $2 or newest collate "C" > $3)`,
    [trouble.cause, trouble.count, trouble.newest],
  );
  await sql.query(
    `insert into alert (webhook_id, cause, count, newest, body, due_at, created_at)
     select gen_random_uuid(), $1, $2, $3, $4::jsonb, $5, $5
      where not exists (select from alert last
                         where last.id = (select max(id) from alert where cause = $1)
                           and (last.created_at > $6 or
                                (last.state <> 'dead' and last.count >= $2 and last.newest collate "C" >= $3)))`,
    [trouble.cause, trouble.count, trouble.newest, asJsonb(body), now, quietSince],
  );
}

/** Forgets the last alert of causes that have ended, so that the next case of them is told again. */
export async function forgetEnded(sql: Sql, causes: readonly string[]): Promise<void> {
  await sql.query(`update alert set count = 0, newest = '' where count > 0 and not (cause = any($1::text[]))`, [
    [...causes],
  ]);
}

/** Claims the alert that has waited longest. */
export async function claimAlert(sql: Sql, lease: Lease): Promise<Alert | null> {
  const [row] = await sql.query<AlertRow>(
    `update alert set ${CLAIMED}
      where id = (select id from alert where state = $1 and due_at <= $4 and ${isUnleased('$4')}
                   order by due_at, id limit 1 for update skip locked)
     returning id, webhook_id, cause, body, tries, created_at`,
    claimValues('open', lease),
  );
  if (!row) return null;
  return {
    id: String(row.id),
    webhookId: `alert_${row.webhook_id ?? row.id}`,
    cause: row.cause,
    body: row.body,
    attempts: row.tries,
    createdAt: row.created_at,
  };
}

interface AlertRow {
  readonly id: string | number;
  /** `null`: inserted by a version without the column. */
  readonly webhook_id: string | null;
  readonly cause: string;
  readonly body: object;
  readonly tries: number;
  readonly created_at: Date;
}

/** Changes nothing when `owner` does not hold the lease. */
export async function endAlert(
  sql: Sql,
  { id, owner }: { readonly id: string; readonly owner: string },
  end: AttemptEnd<'dead'>,
): Promise<void> {
  await saveAttemptEnd(sql, { table: 'alert', id, owner }, end);
}

/** Releases the leases of a stopping instance. */
export async function giveBackAlerts(sql: Sql, owner: string): Promise<void> {
  await releaseRowsOf(sql, 'alert', owner);
}

/** The last alert of a cause stays: it says what was told. */
export async function dropOldAlerts(sql: Sql, before: Date, most: number): Promise<void> {
  await sql.query(
    `delete from alert where id in (
       select id from alert a where state <> 'open' and created_at < $1
          and exists (select from alert later where later.cause = a.cause and later.id > a.id) limit $2)`,
    [before, most],
  );
}
