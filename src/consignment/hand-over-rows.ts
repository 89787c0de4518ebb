import type { Sql } from '../db/database.js';
import { asJsonb } from '../db/json.js';
import type { HandOverList } from '../handover/hand-over-list.js';
import type { Consignment } from './consignment.js';
import { type ConsignmentRow, toConsignment } from './ledger-row.js';

/** What one account took by one consignment note, and what became of it. */
export interface HandOver {
  readonly area: string;
  readonly documentId: string;
  readonly account: string;
  readonly list: HandOverList;
  readonly closeOut: 'open' | 'done' | 'refused' | 'given-up' | 'not-offered';
  readonly closeNote: string | null;
  readonly attachment: 'open' | 'done' | 'not-allowed' | 'refused';
  readonly attachNote: string | null;
  readonly createdAt: Date;
}

interface HandOverRow {
  readonly area: string;
  readonly document_id: string;
  readonly account: string;
  readonly list: HandOverList;
  readonly close_out: HandOver['closeOut'];
  readonly close_note: string | null;
  readonly attachment: HandOver['attachment'];
  readonly attach_note: string | null;
  readonly created_at: Date;
}

/** The goods have left: consignments of these shipments are handed over, by the newest note that names them. */
export async function markHandedOver(
  sql: Sql,
  note: {
    readonly area: string;
    readonly documentId: string | null;
    readonly shipmentIds: readonly string[];
    readonly now: Date;
  },
): Promise<void> {
  await sql.query(
    `update consignment set handed_over_at = $3, handed_over_by = $4
      where area = $1 and shipment_id = any($2::text[]) and state in ('booked', 'labelled', 'closed', 'incomplete')
        and (handed_over_by is null or handed_over_by is distinct from $4)`,
    [note.area, [...note.shipmentIds], note.now, note.documentId],
  );
}

/** As the event came. @returns `null`: there is none of this id */
export async function bodyOfEvent(sql: Sql, eventId: string): Promise<string | null> {
  const rows = await sql.query<{ body: string }>('select body from event where event_id = $1', [eventId]);
  return rows[0]?.body ?? null;
}

/** In the order they were asked for. */
export async function handedOverBy(sql: Sql, area: string, documentId: string): Promise<readonly HandedOverRow[]> {
  const rows = await sql.query<ConsignmentRow>(
    'select * from consignment where area = $1 and handed_over_by = $2 order by created_at, id',
    [area, documentId],
  );
  return rows.map((row) => ({
    consignment: toConsignment(row),
    carrierNumber: row.carrier_number,
    at: row.handed_over_at,
  }));
}

export interface HandedOverRow {
  readonly consignment: Consignment;
  readonly carrierNumber: string | null;
  readonly at: Date | null;
}

/** The first list stays: it is what left. */
export async function insertHandOver(
  sql: Sql,
  handOver: Pick<HandOver, 'area' | 'documentId' | 'account' | 'list' | 'closeOut' | 'createdAt'>,
): Promise<void> {
  const { area, documentId, account, list, closeOut, createdAt } = handOver;
  await sql.query(
    `insert into handover (area, document_id, account, list, close_out, attachment, created_at)
     values ($1, $2, $3, $4::jsonb, $5, 'open', $6) on conflict do nothing`,
    [area, documentId, account, asJsonb(list), closeOut, createdAt],
  );
}

/** @param area `null`: of any area */
export async function findHandOvers(sql: Sql, documentId: string, area: string | null): Promise<readonly HandOver[]> {
  const rows = await sql.query<HandOverRow>(
    `select * from handover where document_id = $1 and ($2::text is null or area = $2) order by area, account`,
    [documentId, area],
  );
  return rows.map((row) => ({
    area: row.area,
    documentId: row.document_id,
    account: row.account,
    list: row.list,
    closeOut: row.close_out,
    closeNote: row.close_note,
    attachment: row.attachment,
    attachNote: row.attach_note,
    createdAt: row.created_at,
  }));
}

type Key = Pick<HandOver, 'area' | 'documentId' | 'account'>;

export async function saveCloseOut(
  sql: Sql,
  { area, documentId, account }: Key,
  { state, note }: { readonly state: HandOver['closeOut']; readonly note: string | null },
): Promise<void> {
  await sql.query(
    'update handover set close_out = $4, close_note = $5 where area = $1 and document_id = $2 and account = $3',
    [area, documentId, account, state, note],
  );
}

export async function saveAttachment(
  sql: Sql,
  { area, documentId, account }: Key,
  { state, note }: { readonly state: HandOver['attachment']; readonly note: string | null },
): Promise<void> {
  await sql.query(
    'update handover set attachment = $4, attach_note = $5 where area = $1 and document_id = $2 and account = $3',
    [area, documentId, account, state, note],
  );
}
