import type { Sql } from '../../db/database.js';
import type { Consignment } from '../consignment.js';
import { isOfLivingInstance } from '../../ims/limits/instance-rows.js';
import { type ConsignmentRow, toConsignment } from './row.js';

/** More than this are not compared with each other: the rest is found when these are gone. */
const MOST_COMPARED = 10_000;

/** What is looked for, and what is left where it is. */
export interface Search {
  readonly now: Date;
  readonly limit: number;
  /** Who looks: what another living instance has had last is left to it. */
  readonly owner?: string;
  /** Accounts whose carrier does not answer: what is held for them stays, unless its time is over. */
  readonly silent?: readonly string[];
  /** Accounts whose carrier may answer again: of what is held for them, the one that has waited longest finds out. */
  readonly uncertain?: readonly string[];
}

/** A consignment that is due. */
export interface DueConsignment {
  readonly id: string;
  readonly area: string;
}

/**
 * What is due and held by nobody. Every account and every area has its turn, and in each the longest waiting comes
 * first: thousands of bookings of one account keep nobody else's from being found.
 */
export async function dueConsignments(
  sql: Sql,
  { now, limit, owner = '', silent = [], uncertain = [] }: Search,
): Promise<readonly DueConsignment[]> {
  return sql.query<DueConsignment>(
    `with due as (
       select id, due_at, area, coalesce(account, carrier_name, '') as whose,
              coalesce(account = any($3::text[] || $4::text[]) and cancel_wanted is null
                       and (plan->>'heldUntil')::timestamptz >= $1, false) as waits,
              coalesce(account = any($3::text[]), false) as silent
         from consignment where due_at <= $1 and (lease_until is null or lease_until <= $1)
          and not ${isOfLivingInstance('$6', '$1')}
     ), compared as (
       select * from due where not (waits and silent) order by due_at limit $5
     ), placed as (
       select id, area, due_at, waits, row_number() over (partition by area, whose, waits order by due_at) as place from compared
     )
     select id, area from placed where not waits or place = 1 order by place, due_at limit $2`,
    [now, limit, [...silent], [...uncertain], MOST_COMPARED, owner],
  );
}

/**
 * Takes those whose worker has waited too long and was not told yet in this run, the longest waiting first. Each is taken
 * again after half a minute, longer than any telling lasts, until `markWaitingTold`: whoever took it may have died.
 * Whose time begins with a new day only is told at once; clocks of instances differ by less than a minute.
 * @returns what was taken now, at most so many
 */
export async function takeWaiting(
  sql: Sql,
  { now, since, limit }: { readonly now: Date; readonly since: Date; readonly limit: number },
): Promise<readonly Consignment[]> {
  const rows = await sql.query<ConsignmentRow>(
    `update consignment set waiting_told_again_at = $1::timestamptz + interval '30 seconds'
      where id in (
        select id from consignment
         where due_at is not null and waiting_told_at is null and document_id is not null
           and (waiting_told_again_at is null or waiting_told_again_at <= $1)
           and (run_started_at <= $2 or run_started_at > $1::timestamptz + interval '1 minute')
           and state in ('received', 'planned', 'booking', 'in-doubt', 'booked', 'labelled')
         order by run_started_at limit $3 for update skip locked)
      returning *`,
    [now, since, limit],
  );
  return rows.map(toConsignment);
}

/** The worker of this run knows, or cannot be told; nothing more is said. */
export async function markWaitingTold(sql: Sql, { id, run }: Consignment, now: Date): Promise<void> {
  await sql.query('update consignment set waiting_told_at = $3 where id = $1 and run = $2', [id, run, now]);
}

/**
 * Gives back what an instance leaves when it stops or has died, so that another one goes on at once. What is about to leave for
 * the carrier or the printer may still leave: that lease runs out by itself.
 */
export async function giveBackLeases(sql: Sql, owner: string): Promise<void> {
  await sql.query(
    `update consignment set lease_owner = null, lease_until = null
      where lease_owner = $1
        and not exists (select from jsonb_array_elements(parts) part where part->>'state' = 'sending')
        and not exists (select from jsonb_array_elements(effects) effect where effect->>'state' = 'sent')`,
    [owner],
  );
  await sql.query('update errand set lease_owner = null, lease_until = null where lease_owner = $1', [owner]);
}
