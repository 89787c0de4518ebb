import type { Booking } from '../../../carriers/contract/model.js';
import type { Sql } from '../../db/database.js';
import { Personal } from '../../db/sealing/personal.js';
import { asJsonb } from '../../db/json.js';
import { named } from '../../db/named.js';

/** Whose return it is: one parcel of one request that the carrier has booked. */
export interface ReturnKey {
  readonly account: string;
  readonly bookedReference: string;
  /** The container in the IMS. */
  readonly parcelId: string;
}

export interface ReturnLabelRow extends ReturnKey {
  /** Identifies the one request to the carrier; a later request for the same parcel has another one. */
  readonly attempt: string;
  readonly consignmentId: string;
  /** The return's own at the carrier. */
  readonly reference: string;
  /** `asking`: the intent is committed. When no outcome is stored in time, it is in doubt. */
  readonly state: 'asking' | 'in-doubt' | 'made';
  readonly booking: Booking | null;
  readonly hasLabel: boolean;
  /** Why it is in doubt, or has no label. */
  readonly note: string | null;
  readonly askedAt: Date;
  /** The time from which the carrier certainly does not work on the request. */
  readonly quietFrom: Date;
}

interface StoredReturn {
  readonly account: string;
  readonly booked_reference: string;
  readonly parcel_id: string;
  readonly attempt: string;
  readonly consignment_id: string;
  readonly reference: string;
  readonly state: ReturnLabelRow['state'];
  readonly booking: Booking | null;
  readonly has_label: boolean;
  readonly note: string | null;
  readonly asked_at: Date;
  readonly quiet_from: Date;
}

const BY_KEY = 'account = :account and booked_reference = :bookedReference and parcel_id = :parcelId';

export async function findReturn(
  sql: Sql,
  { account, bookedReference, parcelId }: ReturnKey,
): Promise<ReturnLabelRow | null> {
  const text = `select account, booked_reference, parcel_id, attempt, consignment_id, reference, state, booking,
                       label is not null and note is null as has_label, note, asked_at, quiet_from
                  from return_label where ${BY_KEY}`;
  const [row] = await sql.query<StoredReturn>(...named(text, { account, bookedReference, parcelId }));
  return row ? toReturn(row) : null;
}

function toReturn(row: StoredReturn): ReturnLabelRow {
  const { account, attempt, reference, state, booking, note } = row;
  return {
    ...{ account, attempt, reference, state, booking, note },
    bookedReference: row.booked_reference,
    parcelId: row.parcel_id,
    consignmentId: row.consignment_id,
    hasLabel: row.has_label,
    askedAt: row.asked_at,
    quietFrom: row.quiet_from,
  };
}

export type NewReturn = Omit<ReturnLabelRow, 'state' | 'booking' | 'hasLabel' | 'note'>;

/** Commits the intent to ask the carrier. @returns whether this caller may ask; `no`: there is a return, or was just now */
export async function insertReturn(sql: Sql, row: NewReturn): Promise<'yes' | 'no'> {
  const text = `insert into return_label
      (account, booked_reference, parcel_id, attempt, consignment_id, reference, state, asked_at, quiet_from, updated_at)
    values (:account, :bookedReference, :parcelId, :attempt, :consignmentId, :reference, 'asking', :askedAt::timestamptz,
            :quietFrom::timestamptz, :askedAt::timestamptz)
    on conflict do nothing returning attempt`;
  return (await sql.query(...named(text, { ...row }))).length > 0 ? 'yes' : 'no';
}

interface Change {
  readonly attempt: string;
  readonly now: Date;
}

/** The note of a label that is stored as the carrier gave it: it is no print yet. Every label with a note is such a one. */
const NOT_PREPARED = 'it is not prepared for printing yet';

/**
 * @param label as the carrier gave it, which may not give it again; `null`: it is to be fetched
 * @returns whether the request was still open
 */
export async function storeMade(
  sql: Sql,
  { attempt, now }: Change,
  { booking, label }: { readonly booking: Booking; readonly label: Uint8Array | null },
): Promise<boolean> {
  const rows = await sql.query(
    `update return_label set state = 'made', booking = $2::jsonb, label = decode($3, 'hex'), note = $4, updated_at = $5
      where attempt = $1 and state <> 'made' returning attempt`,
    [attempt, asJsonb(booking), hex(label), label && NOT_PREPARED, now],
  );
  return rows.length > 0;
}

export async function storeDoubt(
  sql: Sql,
  { attempt, now }: Change,
  { note, quietFrom }: Pick<ReturnLabelRow, 'note' | 'quietFrom'>,
): Promise<void> {
  await sql.query(
    `update return_label set state = 'in-doubt', note = $2, quiet_from = $3, updated_at = $4
      where attempt = $1 and state <> 'made'`,
    [attempt, note, quietFrom, now],
  );
}

/** Nothing was made: the parcel's return may be asked for again, under the same reference. @returns whether it was still open */
export async function freeReturn(sql: Sql, attempt: string): Promise<boolean> {
  const rows = await sql.query("delete from return_label where attempt = $1 and state <> 'made' returning attempt", [
    attempt,
  ]);
  return rows.length > 0;
}

/** Stores a label as the carrier gave it, unless one is ready. */
export async function storeRawLabel(sql: Sql, { attempt, now }: Change, label: Uint8Array): Promise<void> {
  await sql.query(
    `update return_label set label = decode($2, 'hex'), note = $3, updated_at = $4
      where attempt = $1 and (label is null or note is not null)`,
    [attempt, hex(label), NOT_PREPARED, now],
  );
}

/** Stores the label as it is printed. */
export async function storeReturnLabel(sql: Sql, { attempt, now }: Change, label: Uint8Array): Promise<void> {
  await sql.query(
    `update return_label set label = decode($2, 'hex'), note = null, updated_at = $3 where attempt = $1`,
    [attempt, hex(label), now],
  );
}

/** Stores why no label is ready. What the carrier gave is kept: it may not give it again. */
export async function storeNoLabel(sql: Sql, { attempt, now }: Change, note: string): Promise<void> {
  await sql.query(
    `update return_label set note = $2, updated_at = $3 where attempt = $1 and (label is null or note is not null)`,
    [attempt, note, now],
  );
}

function hex(bytes: Uint8Array | null): Personal | null {
  return bytes && new Personal((seal) => Buffer.from(seal.bytes(bytes)).toString('hex'));
}

/** @param form `ready`: as it is printed; `raw`: as the carrier gave it, while it could not be prepared */
export async function loadReturnLabel(sql: Sql, attempt: string, form: 'ready' | 'raw'): Promise<Uint8Array | null> {
  const [row] = await sql.query<{ label: Uint8Array | null }>(
    'select label from return_label where attempt = $1 and (note is null) = $2',
    [attempt, form === 'ready'],
  );
  return row?.label ? new Uint8Array(row.label) : null;
}

/** The label of a return that is made, as it is printed; `null`: there is none. */
export async function readyReturn(sql: Sql, key: ReturnKey): Promise<Uint8Array | null> {
  const row = await findReturn(sql, key);
  return row?.state === 'made' && row.hasLabel ? loadReturnLabel(sql, row.attempt, 'ready') : null;
}
