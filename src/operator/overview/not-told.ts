import type { Sql } from '../../db/database.js';
import { FAILED_SHOWN_DAYS } from './failed-bookings.js';

/** The newest ones are counted. */
const MAX_COUNTED = 2_000;

/** Something that did not reach the IMS, a carrier or a subscriber. */
export interface NotTold {
  readonly kind: 'failed-manifest' | 'dead-letter' | 'given-up' | 'failed-callback';
  /** The subscriber's id of a dead letter; the account of the others. */
  readonly of: string | null;
  /** The subscriber's address. */
  readonly url?: string | null;
  readonly area: string | null;
  /** The latest one. */
  readonly note: string | null;
  readonly count: number;
  readonly oldestAt: Date;
  readonly newestAt: Date;
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
}

const GROUPED = `(array_agg(note order by id desc))[1] as note, count(*)::int as count, min(at) as oldest_at,
   max(at) as newest_at, case when count(distinct area) = 1 then min(area) end as area`;

/**
 * What failed within a week, counted by account or subscriber; the latest first.
 * @param area `null`: of all. Callbacks have no area, and are left out where one is given
 */
export async function notTold(
  sql: Sql,
  { area, now }: { readonly area: string | null; readonly now: Date },
): Promise<readonly NotTold[]> {
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
        where state = 'failed' and received_at >= $2 and $1::text is null order by id desc limit $3)
     select 'failed-manifest' as kind, of, null as url, ${GROUPED} from manifest group by of
     union all select 'dead-letter', of, url, ${GROUPED} from letter group by of, url
     union all select 'given-up', of, null, ${GROUPED} from update_to_ims group by of
     union all select 'failed-callback', of, null, ${GROUPED} from call group by of
     order by newest_at desc`,
    [area, new Date(now.getTime() - FAILED_SHOWN_DAYS * 86_400_000), MAX_COUNTED],
  );
  return rows.map(({ oldest_at: oldestAt, newest_at: newestAt, ...row }) => ({ ...row, oldestAt, newestAt }));
}
