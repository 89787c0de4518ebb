import type { Sql } from '../../db/database.js';
import { isRefused, sqlStatesThat } from '../states.js';

const REFUSED = sqlStatesThat(isRefused);

const NOTHING_BOOKED = sqlStatesThat(({ booking }) => booking === 'nothing-booked');
/** Documents of one shipment, the newest. */
const MAX_DOCUMENTS = 20;

/** SQL: a cancellation was asked for. The key of its answer is that of `withAnswer` in `machine/cancelling`. */
const IS_CANCEL_ASKED = `(cancel_wanted is not null
  or jsonb_path_exists(effects, '$[*].key ? (@ like_regex "^message:[0-9]+:1:[0-9]+:cancel-")'))`;

/** A booking of a shipment. */
export interface BookedOnBefore {
  /** `null`: it was asked for without a document. */
  readonly documentId: string | null;
  /** Its cancellation was asked for, and may be answered. */
  readonly isCancelAsked: boolean;
}

/** What a shipment is booked on, or may be. */
export async function bookingsOf(
  sql: Sql,
  { area, shipmentId }: { readonly area: string; readonly shipmentId: string },
): Promise<readonly BookedOnBefore[]> {
  return sql.query<BookedOnBefore>(
    `select document_id as "documentId", ${IS_CANCEL_ASKED} as "isCancelAsked" from consignment
      where area = $1 and shipment_id = $2 and state not in ${NOTHING_BOOKED}
      order by created_at desc limit ${MAX_DOCUMENTS}`,
    [area, shipmentId],
  );
}

/**
 * The shipment that a booking of this document was begun for, also one whose row was deleted.
 * @returns its number, else its id, else the document's id; `null`: no booking was begun, or it was refused
 */
export async function shipmentBookedOn(
  sql: Sql,
  { area, documentId }: { readonly area: string; readonly documentId: string | null },
): Promise<string | null> {
  const rows = await sql.query<{ shipment: string }>(
    `select coalesce(shipment_number, shipment_id, document_id) as shipment from consignment
      where area = $1 and document_id = $2 and state not in ${REFUSED}
     union all
     select coalesce(shipment_id, document_id) from past_booking where area = $1 and document_id = $2`,
    [area, documentId],
  );
  return rows[0]?.shipment ?? null;
}
