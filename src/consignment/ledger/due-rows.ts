import type { Sql } from '../../db/database.js';
import { type Consignment, WAITS } from '../consignment.js';
import { isOfLivingInstance } from '../../ims/limits/instance-rows.js';
import { type ConsignmentRow, toConsignment } from './row.js';
import { sqlStatesThat } from '../states.js';
import { MAX_COMPARED, RELEASED, isUnleased, releaseRowsOf } from '../../worker/leased-rows.js';

/** All states that this version knows, as in `claim`. */
const KNOWN = sqlStatesThat(() => true);
const TOLD_TO_WAIT = sqlStatesThat(({ awaits }) => awaits !== null);

const NOT_PREPARED = sqlStatesThat(({ isPrepared }) => !isPrepared);

/** SQL: a person has begun a run that starts later; it waits for nothing. */
const STARTS_LATER = `(state in ${NOT_PREPARED} and plan->>'waitingFor' is null)`;

export interface Search {
  readonly now: Date;
  readonly limit: number;
  /** The searching instance: rows that another living instance held last are left to it. */
  readonly owner?: string;
  /** Accounts whose circuit is open: their parked rows are skipped until their waiting time ends. */
  readonly open?: readonly string[];
  /** Accounts whose circuit is half-open: of their parked rows only the longest waiting one is found. */
  readonly halfOpen?: readonly string[];
}

export interface DueConsignment {
  readonly id: string;
  readonly area: string;
}

/**
 * Due rows without a lease. Each account and each area gets its turn, and in each the longest waiting row comes first,
 * so that thousands of bookings of one account do not hide the others.
 */
export async function dueConsignments(
  sql: Sql,
  { now, limit, owner = '', open = [], halfOpen = [] }: Search,
): Promise<readonly DueConsignment[]> {
  return sql.query<DueConsignment>(
    `with due as (
       select id, due_at, area, coalesce(account, carrier_name, '') as whose,
              coalesce(account = any($3::text[] || $4::text[]) and cancel_wanted is null
                       and (plan->>'heldUntil')::timestamptz >= $1, false) as waits,
              coalesce(account = any($3::text[]), false) as is_open
         from consignment where due_at <= $1 and ${isUnleased('$1')} and state in ${KNOWN}
          and not ${isOfLivingInstance('$6', '$1')}
     ), compared as (
       select * from due where not (waits and is_open) order by due_at limit $5
     ), placed as (
       select id, area, due_at, waits, row_number() over (partition by area, whose, waits order by due_at) as place from compared
     )
     select id, area from placed where not waits or place = 1 order by place, due_at limit $2`,
    [now, limit, [...open], [...halfOpen], MAX_COMPARED, owner],
  );
}

export interface WaitingSearch {
  readonly now: Date;
  /** A run that began before this has waited too long. */
  readonly since: Date;
  /** The configured ones: no worker can be told in an area that is not configured. */
  readonly areas: readonly string[];
  readonly limit: number;
}

/**
 * Takes rows whose worker has waited too long and was not told in this run, the longest waiting first. A taken row is
 * taken again after half a minute, unless `markWaitingTold` was called: the process that took it may have died. A row
 * that waits for a new day is told at once; clocks of instances differ by less than a minute. A row that waits for
 * something that only another version knows is left to that one.
 * @returns at most `limit` rows
 */
export async function takeWaiting(
  sql: Sql,
  { now, since, areas, limit }: WaitingSearch,
): Promise<readonly Consignment[]> {
  const rows = await sql.query<ConsignmentRow>(
    `update consignment set waiting_told_again_at = $1::timestamptz + interval '30 seconds'
      where id in (
        select id from consignment
         where due_at is not null and waiting_told_at is null and document_id is not null
           and (waiting_told_again_at is null or waiting_told_again_at <= $1)
           and (run_started_at <= $2 or (run_started_at > $1::timestamptz + interval '1 minute' and not ${STARTS_LATER}))
           and state in ${TOLD_TO_WAIT}
           and area = any($4) and (plan->>'waitingFor' is null or plan->>'waitingFor' = any($5))
         order by run_started_at limit $3 for update skip locked)
      returning *`,
    [now, since, limit, areas, WAITS],
  );
  return rows.map(toConsignment);
}

/** Marks that the worker of this run was told, or cannot be told. */
export async function markWaitingTold(sql: Sql, { id, run }: Consignment, now: Date): Promise<void> {
  await sql.query('update consignment set waiting_told_at = $3 where id = $1 and run = $2', [id, run, now]);
}

/**
 * Releases the leases of an instance that stops or has died, so that another one continues at once. Rows with a request
 * that may still leave for the carrier or printer keep their lease until it expires.
 */
export async function giveBackLeases(sql: Sql, owner: string): Promise<void> {
  await sql.query(
    `update consignment set ${RELEASED}
      where lease_owner = $1
        and not exists (select from jsonb_array_elements(parts) part where part->>'state' = 'sending')
        and not exists (select from jsonb_array_elements(effects) effect where effect->>'state' = 'sent')`,
    [owner],
  );
  await releaseRowsOf(sql, 'task', owner);
}
