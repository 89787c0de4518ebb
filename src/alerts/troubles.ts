import type { AlertKind } from '../config/sections/alerts.js';
import { NOT_BOOKED_SINCE } from '../consignment/ledger/not-booked-since.js';
import { isRefused, sqlStatesThat } from '../consignment/states.js';
import type { Sql } from '../db/database.js';

/** Cases of one kind that continue only when a person acts. */
export interface Trouble {
  /** Names the kind, and the account where it has one: at most one alert in an hour for each. */
  readonly cause: string;
  readonly kind: AlertKind;
  /** `null`: of no account. */
  readonly account: string | null;
  readonly count: number;
  /** A later case has a greater text. */
  readonly newest: string;
  /** Consignments, the newest first; empty for other kinds. */
  readonly consignments: readonly string[];
}

/** Texts of an alert by kind: the cases counted, and what to do; and the page of the dashboard that shows the cases. */
export const TROUBLES = {
  'bookings-in-doubt': {
    cases: 'bookings in doubt',
    todo: "look for them in the carrier's portal and resolve them",
    runbook: 'bookings-in-doubt',
    page: '/needs-a-person',
  },
  'bookings-refused': {
    cases: 'refused bookings of the last day that were not booked again',
    todo: 'see that each shipment is corrected, and booked again',
    runbook: 'refused',
    page: '/needs-a-person',
  },
  'handovers-failed': {
    cases: 'handovers that a carrier or the IMS did not take',
    todo: "close out in the carrier's portal",
    runbook: 'given-up',
    page: '/manifests?state=failed',
  },
  'messages-given-up': {
    cases: 'updates about parcels that the IMS did not take for a day',
    todo: 'tell the workers',
    runbook: 'given-up',
    page: '/dead-letters?kind=update',
  },
  'webhooks-given-up': {
    cases: 'webhooks that a subscriber did not take',
    todo: 'ask the subscriber, then send them again',
    runbook: 'given-up',
    page: '/dead-letters?kind=webhook',
  },
  'callbacks-not-applied': {
    cases: 'callbacks of a carrier that cannot be applied',
    todo: 'look at them and report a bug',
    runbook: 'given-up',
    page: '/dead-letters?kind=callback',
  },
  'tasks-given-up': {
    cases: 'tasks that were given up',
    todo: 'correct what the reason names, then try them again',
    runbook: 'given-up',
    page: '/dead-letters?kind=task',
  },
  'return-labels-in-doubt': {
    cases: 'return labels in doubt',
    todo: "look for them in the carrier's portal and resolve them",
    runbook: 'return-labels-in-doubt',
    page: '/needs-a-person',
  },
} as const satisfies Readonly<Record<AlertKind, object>>;

const REFUSED = sqlStatesThat(isRefused);
/** The consignments that an alert names. */
const MAX_NAMED = 20;
/** Older ones wait on the dashboard only. */
const REFUSED_SINCE_HOURS = 24;
/** The latest time in a column; texts are in the order of the times. */
const timeText = (column: string) => `to_char(max(${column}) at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS.US')`;
/**
 * The latest start of a run: a booking that fails again has begun a new one; a later write to the IMS is no new case.
 */
const BEGUN = timeText('run_started_at');
/** Greater than every id, with as many digits: texts are in the order of the numbers then. */
const ID = `lpad(coalesce(max(id), 0)::text, 20, '0')`;

/** Everything that waits for a person now; each part reads an index of just those rows. */
export async function findTroubles(sql: Sql, now: Date): Promise<readonly Trouble[]> {
  const rows = await sql.query<Omit<Trouble, 'cause'>>(
    `select 'bookings-in-doubt' as kind, account, count(*)::int as count,
            ${BEGUN} as newest,
            (array_agg(id order by updated_at desc))[1:${MAX_NAMED}] as consignments
       from consignment where waits_for_person group by account
     union all
     select 'bookings-refused', account, count(*)::int, ${BEGUN},
            (array_agg(id order by updated_at desc))[1:${MAX_NAMED}]
       from consignment c where state in ${REFUSED} and created_at >= $1::timestamptz - interval '${REFUSED_SINCE_HOURS} hours'
        and ${NOT_BOOKED_SINCE} group by account
     union all
     select 'handovers-failed', account, count(*)::int, ${ID}, '{}' from handover
      where close_out in ('refused', 'given-up') or attachment in ('refused', 'given-up') group by account
     union all
     select 'messages-given-up', null, count(*)::int, ${ID}, '{}' from tracking_outbox where state = 'given-up'
     union all
     select 'webhooks-given-up', null, count(*)::int, ${ID}, '{}' from webhook_delivery where state = 'dead'
     union all
     select 'callbacks-not-applied', null, count(*)::int, ${ID}, '{}' from callback where state = 'failed'
     union all
     select 'tasks-given-up', null, count(*)::int, coalesce(${timeText('created_at')}, ''), '{}' from task where state = 'given-up'
     union all
     select 'return-labels-in-doubt', account, count(*)::int, ${timeText('updated_at')},
            (array_agg(consignment_id order by updated_at desc))[1:${MAX_NAMED}]
       from return_label where state <> 'made' and (state = 'in-doubt' or quiet_from <= $1::timestamptz) group by account`,
    [now],
  );
  return rows
    .filter(({ count }) => count > 0)
    .map((row) => ({ ...row, consignments: [...new Set(row.consignments)] }))
    .map((row) => ({ ...row, cause: row.account === null ? row.kind : `${row.kind} ${row.account}` }));
}
