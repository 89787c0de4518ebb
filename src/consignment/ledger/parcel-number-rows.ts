import type { Sql } from '../../db/database.js';
import { named } from '../../db/named.js';
import type { TakenNumber } from '../machine/facts.js';
import type { ClaimedNumber } from '../machine/numbers.js';
import { sqlStatesThat } from '../states.js';

const FREES_NUMBERS = sqlStatesThat(({ freesNumbers }) => freesNumbers);

/** Numbers that a booking claims for its containers. */
export interface NumberClaim {
  readonly account: string;
  readonly numbers: readonly ClaimedNumber[];
}

/** Another parcel in transit has one of the numbers; the statement stored nothing. */
export class NumbersTaken extends Error {
  override readonly name = 'NumbersTaken';
}

/** No parcel is tracked for longer (`MAX_TRACKED_MS` of tracking), so its number is free after this. */
const FREE_AFTER = `interval '60 days'`;

/**
 * Whether the number of row `taken` may go to the container of row `wanted` at this time: both are the same container,
 * or the parcel with the number is no longer in transit. They are the same container when our own booking is found
 * again, sent again, or taken over by another document of its shipment.
 */
const isFree = (wanted: string, now: string) => `(
  (taken.area = ${wanted}.area and taken.container_id = ${wanted}.container_id)
  or taken.taken_at < ${now}::timestamptz - ${FREE_AFTER}
  or exists (select from tracked_parcel t where t.account = taken.account and t.tracking_number = taken.tracking_number
              and t.container_id = taken.container_id and t.replaced_at is null and t.ended_at is not null)
  or exists (select from consignment c where c.id = taken.consignment_id and c.state in ${FREES_NUMBERS}))`;

/**
 * SQL that claims numbers for the consignment being saved; its values: `numberClaimValues` and `:now`. A number that is not free
 * fails the whole statement, because `consignment_id` takes no null. Two bookings that claim one number at the same moment
 * wait for each other.
 */
export const CLAIM_NUMBERS = `
  insert into parcel_number as taken (account, tracking_number, area, container_id, consignment_id, taken_at)
  select :claimAccount, given.number, saved.area, given.container, saved.id, :now
    from saved, unnest(:claimNumbers::text[], :claimContainers::text[]) as given (number, container)
   order by given.number
  on conflict (account, tracking_number) do update set
    consignment_id = case when ${isFree('excluded', ':now')} then excluded.consignment_id end,
    area = excluded.area, container_id = excluded.container_id, taken_at = excluded.taken_at`;

export function numberClaimValues({ account, numbers }: NumberClaim): Readonly<Record<string, unknown>> {
  return {
    claimAccount: account,
    claimNumbers: numbers.map((each) => each.trackingNumber),
    claimContainers: numbers.map((each) => each.containerId),
  };
}

/** Whether the error means that a claimed number is not free (not_null_violation). */
export function saysTaken(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code === '23502' && typeof message === 'string' && message.includes('consignment_id');
}

/** The numbers that other parcels in transit have. */
export async function takenNumbers(
  sql: Sql,
  area: string,
  { claim, now }: { readonly claim: NumberClaim; readonly now: Date },
): Promise<readonly TakenNumber[]> {
  const [text, values] = named(
    `with wanted as (select :area::text as area, given.number, given.container as container_id
                       from unnest(:claimNumbers::text[], :claimContainers::text[]) as given (number, container))
     select taken.tracking_number, taken.container_id, c.shipment_number
       from wanted join parcel_number taken on taken.account = :claimAccount and taken.tracking_number = wanted.number
       left join consignment c on c.id = taken.consignment_id
      where not ${isFree('wanted', ':now')}`,
    { area, now, ...numberClaimValues(claim) },
  );
  const rows = await sql.query<{ tracking_number: string; container_id: string; shipment_number: string | null }>(
    text,
    values,
  );
  return rows.map((row) => ({
    trackingNumber: row.tracking_number,
    containerId: row.container_id,
    shipmentNumber: row.shipment_number ?? '-',
  }));
}

/** Deletes numbers that are free again. @returns how many */
export async function dropOldNumbers(sql: Sql, takenBefore: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `delete from parcel_number where (account, tracking_number) in
       (select account, tracking_number from parcel_number where taken_at < $1 order by taken_at limit $2)
     returning account`,
    [takenBefore, limit],
  );
  return rows.length;
}
