import type { Sql } from '../db/database.js';
import { named } from '../db/named.js';
import { taskKindOf } from '../tasks/task-rows.js';
import { withoutTokens } from '../webhooks/subscriber-rows.js';

/**
 * What was given up: `webhook` (an event for a subscriber), `update` (tracking, for the IMS), `callback` (of a carrier,
 * which could not be applied), `task` (work for an event that books nothing, with its messages to the worker),
 * `manifest` (closing out with the carrier, or attaching the list in the IMS).
 */
export const LETTER_KINDS = ['webhook', 'update', 'callback', 'task', 'manifest'] as const;
export type LetterKind = (typeof LETTER_KINDS)[number];

/** `null`, here and below: all. */
export interface LetterFilter {
  readonly kinds: readonly LetterKind[] | null;
  readonly areas: readonly string[] | null;
  readonly accounts: readonly string[] | null;
  /** Only those that began at this time or later, … */
  readonly since: Date | null;
  /** … and before this one. */
  readonly until: Date | null;
  /** Exactly a number: of a parcel, a shipment, a consignment, a document, or the id of a subscriber. */
  readonly q: string | null;
}

/** One thing that was given up. */
export interface Letter {
  /** The kind and the id of the row, e.g. `webhook-17`. */
  readonly id: string;
  readonly kind: LetterKind;
  /** The tracking status, the kind of the update or the task. */
  readonly what: string | null;
  readonly area: string | null;
  readonly account: string | null;
  /** The id of the subscriber of a webhook. */
  readonly subscriber: string | null;
  /** The address of a webhook, without the values of its query. */
  readonly url: string | null;
  /** The answer to the last attempt. */
  readonly reason: string | null;
  /** `null`: not counted. */
  readonly attempts: number | null;
  readonly createdAt: Date;
  readonly trackingNumber: string | null;
  readonly shipmentNumber: string | null;
  readonly shipmentId: string | null;
  readonly consignmentId: string | null;
  readonly documentId: string | null;
}

const LETTER = `id, kind, what, area, account, subscriber, url, reason, attempts, created_at as "createdAt",
       tracking_number as "trackingNumber", shipment_number as "shipmentNumber", shipment_id as "shipmentId",
       consignment_id as "consignmentId", document_id as "documentId"`;

const FAILED = "('refused', 'given-up')";

const LETTERS = `
  select 'webhook-' || d.id as id, 'webhook' as kind, d.status as what, p.area, p.account, d.subscriber_id as subscriber,
         s.url, d.note as reason, d.tries as attempts, d.created_at, p.tracking_number, p.shipment_number, p.shipment_id,
         p.consignment_id, null::text as document_id
    from webhook_delivery d join subscriber s on s.id = d.subscriber_id left join tracked_parcel p on p.id = d.parcel_id
   where d.state = 'dead'
  union all
  select 'update-' || n.id, 'update', n.kind || ': ' || n.status, n.area, p.account, null, null, n.note, n.tries,
         n.created_at, p.tracking_number, p.shipment_number, n.shipment_id, p.consignment_id, null
    from tracking_outbox n left join tracked_parcel p on p.id = n.parcel_id where n.state = 'given-up'
  union all
  select 'callback-' || id, 'callback', null, null, account, null, null, note, null, received_at, null, null, null, null, null
    from callback where state = 'failed'
  union all
  select 'task-' || id, 'task', kind, area, null, null, null, note, tries, created_at, null, null, shipment_id, null, document_id
    from task where state = 'given-up'
  union all
  select 'manifest-' || id, 'manifest', null, area, account, null, null,
         case when close_out in ${FAILED} then close_note else attach_note end, null, created_at, null, null, null, null, document_id
    from handover where close_out in ${FAILED} or attachment in ${FAILED}`;

const CONDITIONS = `(:kinds::text[] is null or kind = any(:kinds)) and (:areas::text[] is null or area = any(:areas))
   and (:accounts::text[] is null or account = any(:accounts))
   and (:since::timestamptz is null or created_at >= :since) and (:until::timestamptz is null or created_at < :until)
   and (:q::text is null or :q in (id, subscriber, tracking_number, shipment_number, shipment_id, consignment_id, document_id))`;

/** The form of ids: only the ids of tasks are texts of others, and Postgres takes no text with a NUL. */
export const LETTER_ID = /^[\x21-\x7e]{1,150}$/;

export const LETTER_CURSOR =
  /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z_[\x21-\x7e]{1,150}$/;

/** Newest first. @returns the rows of the page, and where the next one begins; `null`: there is none */
export async function listLetters(
  sql: Sql,
  filter: LetterFilter,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
): Promise<{ readonly deadLetters: readonly Letter[]; readonly cursor: string | null }> {
  const place = cursor?.indexOf('_') ?? -1;
  const at = cursor === null ? null : new Date(cursor.slice(0, place));
  const rows = await sql.query<Letter>(
    ...named(
      `select ${LETTER} from (${LETTERS}) letter where ${CONDITIONS}
          and (:at::timestamptz is null or (created_at, id) < (:at, :after::text))
        order by created_at desc, id desc limit :limit`,
      { ...filter, at, after: cursor?.slice(place + 1) ?? null, limit: limit + 1 },
    ),
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last ? `${last.createdAt.toISOString()}_${last.id}` : null;
  return { deadLetters: shown.map(toShown), cursor: next };
}

function toShown(letter: Letter): Letter {
  const { kind, what, url } = letter;
  return {
    ...letter,
    what: kind === 'task' && what !== null ? taskKindOf(what) : what,
    url: url === null ? null : withoutTokens(url),
  };
}
