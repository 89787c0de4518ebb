import type { Sql } from '../../db/database.js';
import { sqlStatesThat } from '../../consignment/states.js';
import { taskKindOf } from '../../tasks/task-rows.js';
import { FAILED_SHOWN_DAYS, type FailedSpan } from './failed-bookings.js';

/** The newest ones are counted. */
const MAX_COUNTED = 2_000;
/** Consignments that are named; the newest. */
const MAX_NAMED = 5;

/** Something that did not reach the IMS, a carrier or a subscriber, or was left open. */
export interface NotTold {
  readonly kind:
    | 'failed-manifest'
    | 'dead-letter'
    | 'given-up'
    | 'failed-callback'
    | 'untold-worker'
    | 'given-up-task'
    | 'return-in-doubt';
  /** The subscriber's id of a dead letter; the kind of a task; the account of the others. */
  readonly of: string | null;
  /** The subscriber's address. */
  readonly url?: string | null;
  readonly area: string | null;
  /** The latest one. */
  readonly note: string | null;
  readonly count: number;
  readonly oldestAt: Date;
  readonly newestAt: Date;
  /** The consignments of return labels and of messages to workers, the newest first; at most five. Of the others none. */
  readonly named: readonly Named[];
}

interface Named {
  readonly id: string;
  readonly shipment: string;
}

interface Row {
  readonly kind: NotTold['kind'];
  readonly of: string | null;
  readonly url: string | null;
  readonly area: string | null;
  readonly note: string | null;
  readonly count: number;
  readonly oldest_at: Date;
  readonly newest_at: Date;
  readonly named: readonly Named[] | null;
}

/** Work that was begun and stays as it is until a person acts. */
const LEFT_OPEN: readonly string[] = ['given-up-task', 'return-in-doubt'] satisfies readonly NotTold['kind'][];

/** Whether a cause is about work that was left open, which counts as what needs a person. */
export function isLeftOpen({ kind }: { readonly kind: string }): boolean {
  return LEFT_OPEN.includes(kind);
}

/** $1 area, or null; $2 since; $3 the most; $4 now. */
const GIVEN_UP_TASKS = `select id, kind as of, area, note, created_at as at from task
        where state = 'given-up' and created_at >= $2 and ($1::text is null or area = $1)
        order by created_at desc, id desc limit $3`;

/** After its process ended without an answer, a return label is in doubt once the carrier has certainly ended its work on it. */
const RETURNS_IN_DOUBT = `select r.attempt as id, r.account as of, c.area, r.asked_at as at, r.consignment_id,
              r.reference || ': ' || coalesce(r.note, 'Waybridge ended before the answer came') as note,
              coalesce(c.shipment_number, c.shipment_id, c.document_id, r.consignment_id) as shipment
         from return_label r left join consignment c on c.id = r.consignment_id
        where r.state <> 'made' and (r.state = 'in-doubt' or r.quiet_from <= $4::timestamptz)
          and ($1::text is null or c.area = $1) order by r.asked_at desc, r.attempt desc limit $3`;

const ENDED_AS_WANTED = sqlStatesThat(({ isEnd, needsCorrection }) => isEnd && !needsCorrection);

/**
 * SQL: messages to workers that failed, of bookings that are in no list of failures. The first two conditions are the
 * text of the index `consignment_untold`; a message of an earlier run does not count.
 */
const UNTOLD_WORKERS = `select id, account as of, area, null::text as note, updated_at as at, id as consignment_id,
              coalesce(shipment_number, shipment_id, document_id, id) as shipment
         from consignment
        where state in ${ENDED_AS_WANTED}
          and effects @? '$[*] ? ((@.state == "failed" || @.state == "not-allowed") && (@.call.kind == "message" || @.call.kind like_regex "-notice$"))'
          and updated_at >= $2 and ($1::text is null or area = $1)
          and exists (select from jsonb_array_elements(effects) effect
                       where effect->>'state' in ('failed', 'not-allowed') and split_part(effect->>'key', ':', 2) = run::text
                         and effect->'call'->>'kind' in ('message', 'not-allowed-notice', 'still-booked-notice'))
        order by updated_at desc, id desc limit $3`;

const GROUPED = `(array_agg(note order by at desc, id desc))[1] as note, count(*)::int as count, min(at) as oldest_at,
   max(at) as newest_at, case when count(distinct area) = 1 then min(area) end as area`;

const NAMED = `to_jsonb((array_agg(jsonb_build_object('id', consignment_id, 'shipment', shipment)
   order by at desc, id desc))[1:20])`;

/**
 * What failed within a week, and every return label in doubt, counted by account, subscriber or kind of task; the latest
 * first. Callbacks have no area, and are left out where one is given.
 */
export async function notTold(sql: Sql, span: FailedSpan): Promise<readonly NotTold[]> {
  const rows = await sql.query<Row>(
    `with manifest as (
       select id, account as of, area, coalesce(case when close_out in ('refused', 'given-up') then close_note end, attach_note)
              as note, created_at as at from handover
        where (close_out in ('refused', 'given-up') or attachment in ('refused', 'given-up'))
          and created_at >= $2 and ($1::text is null or area = $1) order by id desc limit $3),
     letter as (
       select d.id, d.subscriber_id as of, s.url, p.area, d.note, coalesce(d.ended_at, d.created_at) as at
         from webhook_delivery d join subscriber s on s.id = d.subscriber_id left join tracked_parcel p on p.id = d.parcel_id
        where d.state = 'dead' and ($1::text is null or p.area = $1) order by d.id desc limit $3),
     update_to_ims as (
       select n.id, p.account as of, n.area, n.note, n.created_at as at
         from tracking_outbox n left join tracked_parcel p on p.id = n.parcel_id
        where n.state = 'given-up' and n.created_at >= $2 and ($1::text is null or n.area = $1) order by n.id desc limit $3),
     call as (
       select id, account as of, null::text as area, note, received_at as at from callback
        where state = 'failed' and received_at >= $2 and $1::text is null order by id desc limit $3),
     untold as (${UNTOLD_WORKERS}),
     undone as (${GIVEN_UP_TASKS}),
     doubt as (${RETURNS_IN_DOUBT})
     select 'failed-manifest' as kind, of, null as url, ${GROUPED}, null::jsonb as named from manifest group by of
     union all select 'dead-letter', of, url, ${GROUPED}, null from letter group by of, url
     union all select 'given-up', of, null, ${GROUPED}, null from update_to_ims group by of
     union all select 'failed-callback', of, null, ${GROUPED}, null from call group by of
     union all select 'untold-worker', of, null, ${GROUPED}, ${NAMED} from untold group by of
     union all select 'given-up-task', of, null, ${GROUPED}, null from undone group by of
     union all select 'return-in-doubt', of, null, ${GROUPED}, ${NAMED} from doubt group by of
     order by newest_at desc`,
    valuesOf(span),
  );
  return rows.map(toNotTold);
}

/** How many tasks were given up within a week, and how many return labels are in doubt; each at most 2,000. */
export async function countLeftOpen(sql: Sql, span: FailedSpan): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select ((select count(*) from (${GIVEN_UP_TASKS}) undone) + (select count(*) from (${RETURNS_IN_DOUBT}) doubt))::int
            as count`,
    valuesOf(span),
  );
  return row?.count ?? 0;
}

function valuesOf({ area, now }: FailedSpan): readonly unknown[] {
  return [area, new Date(now.getTime() - FAILED_SHOWN_DAYS * 86_400_000), MAX_COUNTED, now];
}

function toNotTold({ oldest_at: oldestAt, newest_at: newestAt, named, ...row }: Row): NotTold {
  const of = row.kind === 'given-up-task' && row.of !== null ? taskKindOf(row.of) : row.of;
  // A consignment of several parcels has several return labels.
  const shipments = new Map((named ?? []).map((one) => [one.id, one]));
  return { ...row, of, oldestAt, newestAt, named: [...shipments.values()].slice(0, MAX_NAMED) };
}
