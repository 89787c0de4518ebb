import { sqlStatesThat, toStoredState } from '../consignment/states.js';
import type { Sql } from '../db/database.js';

/** What the database shows at one moment, counted over all instances. */
export interface Figures {
  /** Bookings that continue by themselves, by stored state. */
  readonly queue: Readonly<Record<string, number>>;
  /** `null`: there is none. */
  readonly oldestAt: Date | null;
  readonly inDoubt: number;
  readonly needsOperator: number;
  readonly tasks: number;
  readonly updates: number;
  readonly webhooks: number;
  readonly messages: number;
  readonly handovers: number;
  readonly callbacks: number;
  readonly alerts: number;
  readonly givenUpTasks: number;
  readonly returnsInDoubt: number;
  /** Accounts whose carriers refuse the login of tracking. */
  readonly refusedLogins: readonly string[];
  /** Requests of the day by the short hash of the key. */
  readonly usage: Readonly<Record<string, number>>;
}

const UNDER_WAY = `state in ${sqlStatesThat((traits) => !traits.isEnd)}`;

/** One statement, whose parts each read an index of what is open. */
export async function readFigures(sql: Sql, now: Date): Promise<Figures> {
  const [row] = await sql.query<Figures>(
    `with queue as (select state, count(*)::int as n, min(run_started_at) as oldest from consignment
                     where ${UNDER_WAY} and not waits_for_person group by state)
     select coalesce((select jsonb_object_agg(state, n) from queue), '{}') as queue,
            (select min(oldest) from queue) as "oldestAt",
            (select count(*)::int from consignment where state = '${toStoredState('in-doubt')}') as "inDoubt",
            (select count(*)::int from consignment where waits_for_person) as "needsOperator",
            (select count(*)::int from task where due_at is not null) as tasks,
            (select count(*)::int from tracking_outbox where due_at is not null) as updates,
            (select count(*)::int from webhook_delivery where state = 'dead') as webhooks,
            (select count(*)::int from tracking_outbox where state = 'given-up') as messages,
            (select count(*)::int from handover
              where close_out in ('refused', 'given-up') or attachment in ('refused', 'given-up')) as handovers,
            (select count(*)::int from alert where state = 'dead') as alerts,
            (select count(*)::int from callback where state = 'failed') as callbacks,
            (select count(*)::int from task where state = 'given-up') as "givenUpTasks",
            (select count(*)::int from return_label
              where state <> 'made' and (state = 'in-doubt' or quiet_from <= $2)) as "returnsInDoubt",
            array(select account from tracking_login_refused where until > $2) as "refusedLogins",
            coalesce((select jsonb_object_agg(key_id, calls) from ims_usage where day = $1::date), '{}') as usage`,
    [now.toISOString().slice(0, 10), now],
  );
  if (!row) throw new Error('the figures have no row');
  return row;
}
