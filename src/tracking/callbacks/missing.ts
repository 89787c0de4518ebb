import type { Account } from '../../accounts/account.js';
import type { Sql } from '../../db/database.js';
import type { TrackingContext } from '../context.js';

/** Carriers call several times for a parcel, so a day without a call is unusual while parcels are on their way. */
const SILENT_AFTER_MS = 24 * 3_600_000;

/** An account with callbacks, and the carrier that it belongs to by now. */
export interface CallingCarrier {
  readonly account: string;
  readonly carrierId: string;
  /** As parcels keep it. */
  readonly carrierName: string;
}

/** What is known of the calls of an account's carrier. */
export interface CallingAccount {
  readonly account: string;
  /** `null`: never. */
  readonly lastCallAt: Date | null;
  /** The open parcels of this carrier, not of one that the account belonged to before. */
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

/** @param names of accounts with callbacks */
export function callingCarriers(
  names: Iterable<string>,
  accounts: ReadonlyMap<string, Account>,
): readonly CallingCarrier[] {
  return [...names].flatMap((account) => {
    const adapter = accounts.get(account)?.adapter;
    return adapter ? [{ account, carrierId: adapter.id, carrierName: adapter.name }] : [];
  });
}

/** @returns in the order of `calling` */
export async function callingAccounts(
  sql: Sql,
  calling: readonly CallingCarrier[],
  now: Date,
): Promise<readonly CallingAccount[]> {
  if (calling.length === 0) return [];
  // The plan is read only for parcels of another name: of all open parcels it would take too long.
  const rows = await sql.query<Row>(
    `with given as (select * from unnest($1::text[], $2::text[], $3::text[]) with ordinality
                      as given (account, carrier_id, carrier_name, place)),
          parcels as (select p.account, count(*)::int as open, min(p.registered_at) as oldest
                        from tracked_parcel p join given on given.account = p.account
                       where p.ended_at is null
                         and case when p.carrier_name = given.carrier_name then true
                                  else coalesce((select c.plan->'plan'->>'carrierId' = given.carrier_id
                                                   from consignment c where c.id = p.consignment_id), true) end
                       group by p.account)
     select given.account, h.heard_at, coalesce(p.open, 0) as open,
            coalesce(p.oldest < $4 and (h.heard_at is null or h.heard_at < $4), false) as silent
       from given
       left join callback_heard h on h.account = given.account
       left join parcels p on p.account = given.account
      order by given.place`,
    [
      calling.map(({ account }) => account),
      calling.map(({ carrierId }) => carrierId),
      calling.map(({ carrierName }) => carrierName),
      new Date(now.getTime() - SILENT_AFTER_MS),
    ],
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
  const calling = callingCarriers(callbacks.keys(), context.accounts);
  const accounts = await callingAccounts(context.database, calling, context.clock.now());
  for (const { account, lastCallAt, openParcels } of accounts.filter(({ silent }) => silent))
    context.log.warn('carrier does not call', { account, lastCallAt, openParcels });
}
