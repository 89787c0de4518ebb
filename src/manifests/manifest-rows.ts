import type { Sql } from '../db/database.js';
import { asJsonb } from '../db/json.js';
import { named } from '../db/named.js';
import type { Manifest } from './manifest-document.js';
import type { Consignment } from '../consignment/consignment.js';
import { type ConsignmentRow, toConsignment } from '../consignment/ledger/row.js';

/** The handover of one account with one consignment note, and its results. */
export interface Handover {
  readonly area: string;
  readonly documentId: string;
  readonly account: string;
  readonly list: Manifest;
  /** `superseded`: a newer note has taken over all of it. */
  readonly closeOut: 'open' | 'done' | 'refused' | 'given-up' | 'not-offered' | 'superseded';
  readonly closeNote: string | null;
  readonly attachment: 'open' | 'done' | 'not-allowed' | 'refused' | 'given-up' | 'superseded';
  readonly attachNote: string | null;
  readonly createdAt: Date;
}

interface HandoverRow {
  /** Grows in the order of creation. */
  readonly id: string | number;
  readonly area: string;
  readonly document_id: string;
  readonly account: string;
  readonly list: Manifest;
  readonly close_out: Handover['closeOut'];
  readonly close_note: string | null;
  readonly attachment: Handover['attachment'];
  readonly attach_note: string | null;
  readonly created_at: Date;
}

/** In the order of the bookings' arrival. */
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

/** The first manifest stays. */
export async function insertHandover(
  sql: Sql,
  handover: Pick<Handover, 'area' | 'documentId' | 'account' | 'list' | 'closeOut' | 'createdAt'>,
): Promise<void> {
  const { area, documentId, account, list, closeOut, createdAt } = handover;
  await sql.query(
    `insert into handover (area, document_id, account, list, close_out, attachment, created_at)
     values ($1, $2, $3, $4::jsonb, $5, 'open', $6) on conflict do nothing`,
    [area, documentId, account, asJsonb(list), closeOut, createdAt],
  );
}

/** @param area `null`: of any area */
export async function findHandovers(
  sql: Sql,
  documentId: string,
  area: string | null,
): Promise<readonly ListedHandover[]> {
  const rows = await sql.query<HandoverRow>(
    `select * from handover where document_id = $1 and ($2::text is null or area = $2) order by area, account`,
    [documentId, area],
  );
  return rows.map((row) => ({ id: String(row.id), ...toHandOver(row) }));
}

function toHandOver(row: HandoverRow): Handover {
  return {
    area: row.area,
    documentId: row.document_id,
    account: row.account,
    list: row.list,
    closeOut: row.close_out,
    closeNote: row.close_note,
    attachment: row.attachment,
    attachNote: row.attach_note,
    createdAt: row.created_at,
  };
}

export interface HandoverFilter {
  readonly state: HandoverState | null;
  readonly area: string | null;
  readonly account: string | null;
  /** Only those that were made at this time or later, … */
  readonly since: Date | null;
  /** … and before this one; `null`: all. */
  readonly until: Date | null;
  /** Exactly a consignment note, or a number of a consignment that left by it; `null`: all. */
  readonly q: string | null;
  /** Of the page before; `null`: from the newest on. */
  readonly cursor: string | null;
  readonly limit: number;
}

/** Newest first. @returns the rows, and where the next page goes on; `null`: there is none */
export async function listHandovers(
  sql: Sql,
  filter: HandoverFilter,
): Promise<{ readonly handovers: readonly ListedHandover[]; readonly cursor: string | null }> {
  const { limit } = filter;
  const rows = await sql.query<HandoverRow>(
    ...named(
      `select * from handover
        where (:state::text is null or :state = case
                when close_out = any(:failed::text[]) or attachment = any(:failed::text[]) then 'failed'
                when 'open' in (close_out, attachment) then 'open' else 'done' end)
          and (:area::text is null or area = :area) and (:account::text is null or account = :account)
          and (:since::timestamptz is null or created_at >= :since)
          and (:until::timestamptz is null or created_at < :until)
          and (:q::text is null or document_id = any(array(${NOTES_OF})))
          and (:cursor::bigint is null or handover.id < :cursor)
        order by handover.id desc limit :limit`,
      { ...filter, limit: limit + 1, failed: [...FAILED] },
    ),
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const handovers = shown.map((row) => ({ id: String(row.id), ...toHandOver(row) }));
  return { handovers, cursor: rows.length > limit && last ? String(last.id) : null };
}

/** A manifest with the id of its row. */
export type ListedHandover = Handover & { readonly id: string };

/** The consignment notes that a number stands for: its own, or the one that a consignment left by. */
const NOTES_OF = `select :q::text union all select handed_over_by from consignment
  where handed_over_by is not null
    and (id = :q or shipment_number = :q or shipment_id = :q or carrier_number = :q or reference collate "C" = :q
         or (jsonb_path_exists(parts, '$[*].booking.parcels[*].trackingNumber')
             and jsonb_path_query_array(parts, '$[*].booking.parcels[*].trackingNumber') ? :q))`;

export const HANDOVER_STATES = ['open', 'failed', 'done'] as const;
export type HandoverState = (typeof HANDOVER_STATES)[number];

const FAILED: readonly string[] = ['refused', 'given-up'];

/** `failed`: the carrier or the IMS refused a step, or never answered; `open`: a step is still being tried. */
export function stateOf({ closeOut, attachment }: Pick<Handover, 'closeOut' | 'attachment'>): HandoverState {
  if (FAILED.includes(closeOut) || FAILED.includes(attachment)) return 'failed';
  return closeOut === 'open' || attachment === 'open' ? 'open' : 'done';
}

/** Gives up the open steps of a note. */
export async function giveUpOpen(sql: Sql, note: Pick<Handover, 'area' | 'documentId'>, why: string): Promise<void> {
  await sql.query(
    `update handover set
       close_note = case when close_out = 'open' then $3 else close_note end,
       close_out = case when close_out = 'open' then 'given-up' else close_out end,
       attach_note = case when attachment = 'open' then $3 else attach_note end,
       attachment = case when attachment = 'open' then 'given-up' else attachment end
      where area = $1 and document_id = $2 and 'open' in (close_out, attachment)`,
    [note.area, note.documentId, why],
  );
}

type Note = Pick<Handover, 'area' | 'documentId'>;

/** The consignment notes of these manifests, where a manifest has a failed step. */
export async function notesOfFailed(sql: Sql, ids: readonly string[]): Promise<readonly Note[]> {
  return sql.query<Note>(
    `select distinct area, document_id as "documentId" from handover
      where id = any($1::bigint[]) and (close_out = any($2::text[]) or attachment = any($2::text[]))`,
    [[...ids], [...FAILED]],
  );
}

/** Opens the failed steps of these manifests again, where a manifest is of one of the notes. @returns how many manifests */
export async function reopenFailed(sql: Sql, ids: readonly string[], notes: readonly Note[]): Promise<number> {
  const rows = await sql.query(
    `update handover set
       close_note = case when close_out = any($2::text[]) then null else close_note end,
       close_out = case when close_out = any($2::text[]) then 'open' else close_out end,
       attach_note = case when attachment = any($2::text[]) then null else attach_note end,
       attachment = case when attachment = any($2::text[]) then 'open' else attachment end
      where id = any($1::bigint[]) and (close_out = any($2::text[]) or attachment = any($2::text[]))
        and (area, document_id) in (select * from unnest($3::text[], $4::text[]))
      returning id`,
    [[...ids], [...FAILED], notes.map(({ area }) => area), notes.map(({ documentId }) => documentId)],
  );
  return rows.length;
}

type Key = Pick<Handover, 'area' | 'documentId' | 'account'>;

export async function saveCloseOut(
  sql: Sql,
  { area, documentId, account }: Key,
  { state, note }: { readonly state: Handover['closeOut']; readonly note: string | null },
): Promise<void> {
  await sql.query(
    'update handover set close_out = $4, close_note = $5 where area = $1 and document_id = $2 and account = $3',
    [area, documentId, account, state, note],
  );
}

export async function saveAttachment(
  sql: Sql,
  { area, documentId, account }: Key,
  { state, note }: { readonly state: Handover['attachment']; readonly note: string | null },
): Promise<void> {
  await sql.query(
    'update handover set attachment = $4, attach_note = $5 where area = $1 and document_id = $2 and account = $3',
    [area, documentId, account, state, note],
  );
}
