import type { TrackingContext } from '../context.js';

interface Row {
  readonly account: string;
  readonly open: number;
}

/**
 * Warns of open parcels whose account is not configured any more: no carrier is asked about them, and callbacks about
 * them are refused.
 */
export async function warnOfParcelsWithoutAccount({ booking: context }: TrackingContext): Promise<void> {
  const rows = await context.database.query<Row>(
    `select account, count(*)::int as open from tracked_parcel
      where ended_at is null and account <> all($1::text[])
      group by account order by account`,
    [[...context.accounts.keys()]],
  );
  for (const { account, open: openParcels } of rows)
    context.log.warn('account of parcels not configured', { account, openParcels });
}
