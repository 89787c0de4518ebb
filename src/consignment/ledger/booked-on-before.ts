import type { Sql } from '../../db/database.js';
import { isRefused, sqlStatesThat } from '../states.js';

const REFUSED = sqlStatesThat(isRefused);

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
