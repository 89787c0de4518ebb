import type { Sql } from '../../db/database.js';
import { isRefused, sqlStatesThat } from '../states.js';

const REFUSED = sqlStatesThat(isRefused);

const NOTHING_BOOKED = sqlStatesThat(({ booking }) => booking === 'nothing-booked');
/** Documents of one shipment, the newest. */
const MAX_DOCUMENTS = 20;

/** The documents on which a shipment is booked, or may be; `null` among them: without a document. */
export async function documentsBookedOn(
  sql: Sql,
  { area, shipmentId }: { readonly area: string; readonly shipmentId: string },
): Promise<readonly (string | null)[]> {
  const rows = await sql.query<{ document_id: string | null }>(
    `select document_id from consignment
      where area = $1 and shipment_id = $2 and state not in ${NOTHING_BOOKED}
      order by created_at desc limit ${MAX_DOCUMENTS}`,
    [area, shipmentId],
  );
  return rows.map((row) => row.document_id);
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
