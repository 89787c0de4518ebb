import type { Sql } from '../../db/database.js';
import type { TrackingContext } from '../context.js';

/** Carriers call several times for a parcel, so a day without a call is unusual while parcels are on their way. */
const SILENT_AFTER_MS = 24 * 3_600_000;

/** An account with callbacks. */
export interface CallingAccount {
  readonly account: string;
  /** `null`: never. */
  readonly lastCallAt: Date | null;
  readonly openParcels: number;
  /** No call for a day, although parcels older than that are on their way. */
  readonly silent: boolean;
}

interface Row {
  readonly account: string;
  readonly heard_at: Date | null;
  readonly open: number;
  readonly silent: boolean;
}

/** @param accounts by name; in this order */
export async function callingAccounts(
  sql: Sql,
  accounts: readonly string[],
  now: Date,
): Promise<readonly CallingAccount[]> {
  if (accounts.length === 0) return [];
  const rows = await sql.query<Row>(
    `with parcels as (select account, count(*)::int as open, min(registered_at) as oldest from tracked_parcel
                       where ended_at is null and account = any($1::text[]) group by account)
     select given.account, h.heard_at, coalesce(p.open, 0) as open,
            coalesce(p.oldest < $2 and (h.heard_at is null or h.heard_at < $2), false) as silent
       from unnest($1::text[]) with ordinality as given (account, place)
       left join callback_heard h on h.account = given.account
       left join parcels p on p.account = given.account
      order by given.place`,
    [[...accounts], new Date(now.getTime() - SILENT_AFTER_MS)],
  );
  return rows.map(({ account, heard_at: lastCallAt, open: openParcels, silent }) => ({
    account,
    lastCallAt,
    openParcels,
    silent,
  }));
}

/** Warns of carriers that do not call: the subscription may have run out. */
export async function warnOfMissingCallbacks({ booking: context, callbacks }: TrackingContext): Promise<void> {
  const accounts = await callingAccounts(context.database, [...callbacks.keys()], context.clock.now());
  for (const { account, lastCallAt, openParcels } of accounts.filter(({ silent }) => silent))
    context.log.warn('carrier does not call', { account, lastCallAt, openParcels });
}
