import { CarrierRejected } from '../../../carriers/contract/errors.js';
import type { BookingContext } from '../../consignment/context.js';
import type { Sql } from '../../db/database.js';
import type { LogFields } from '../../log.js';

/** Longer than the longest pause after a failure: a refusal that still stands is noted again within it. */
const REFUSED_FOR_MS = 8 * 3_600_000;

export function isLoginRefused(error: Error): boolean {
  return error instanceof CarrierRejected && error.because === 'credentials';
}

/** Only a person can correct a login: the refusal is shown by a measure and on the pages until the carrier answers again. */
export async function noteLoginRefused(
  { database, clock, log }: BookingContext,
  fields: LogFields & { readonly account: string },
): Promise<void> {
  log.warn('tracking login refused', fields);
  await database.query(
    `insert into tracking_login_refused as r (account, until) values ($1, $2)
     on conflict (account) do update set until = greatest(r.until, excluded.until)`,
    [fields.account, new Date(clock.now().getTime() + REFUSED_FOR_MS)],
  );
}

export async function noteLoginAccepted(sql: Sql, account: string): Promise<void> {
  await sql.query('delete from tracking_login_refused where account = $1', [account]);
}

/** The accounts whose carriers refuse the login of tracking. */
export async function refusedLogins(sql: Sql, now: Date): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ readonly account: string }>(
    'select account from tracking_login_refused where until > $1',
    [now],
  );
  return new Set(rows.map(({ account }) => account));
}
