import type { Sql } from '../../db/database.js';

/** A call that is due, taken by this instance. */
export interface FeedCall {
  /** The cursor of the last answer that was stored; `null`: there is none. */
  readonly cursor: string | null;
  readonly callsFailed: number;
}

/** An account, and the carrier that it belongs to by now. */
export interface Fed {
  readonly account: string;
  readonly carrierId: string;
}

/**
 * Takes the next call by moving its due time ahead: after a crash it is due again then. The cursor of another carrier, to
 * which the account belonged before, says nothing to this one and is dropped.
 * @returns `null`: none is due
 */
export async function takeFeedCall(
  sql: Sql,
  { account, carrierId }: Fed,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<FeedCall | null> {
  const [row] = await sql.query<{ cursor: string | null; calls_failed: number }>(
    `insert into tracking_feed as f (account, due_at, carrier_id)
     select $1, $3, $4 where not exists (select from tracking_feed where account = $1 and due_at > $2)
     on conflict (account) do update set
       due_at = excluded.due_at, carrier_id = excluded.carrier_id,
       cursor = case when f.carrier_id <> excluded.carrier_id then null else f.cursor end,
       calls_failed = case when f.carrier_id <> excluded.carrier_id then 0 else f.calls_failed end
       where f.due_at <= $2
     returning cursor, calls_failed`,
    [account, now, until, carrierId],
  );
  return row === undefined ? null : { cursor: row.cursor, callsFailed: row.calls_failed };
}

/** Sets where and when the next call begins, unless the due time of the claim is over and another instance took the call. */
export async function endFeedCall(
  sql: Sql,
  account: string,
  { until, dueAt, cursor, callsFailed }: FeedCall & { readonly until: Date; readonly dueAt: Date },
): Promise<void> {
  await sql.query(
    'update tracking_feed set cursor = $3, due_at = $4, calls_failed = $5 where account = $1 and due_at = $2',
    [account, until, cursor, dueAt, callsFailed],
  );
}
