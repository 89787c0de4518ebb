import type { Sql } from '../../db/database.js';

/** Whether an event has said that the document was cancelled. Events are kept for a limited time. */
export async function isSaidCancelled(
  sql: Sql,
  { area, documentId }: { readonly area: string; readonly documentId: string },
): Promise<boolean> {
  const rows = await sql.query(
    `select from event where document_id = $1 and area = $2 and event_type = 'documentCancelled' limit 1`,
    [documentId, area],
  );
  return rows.length > 0;
}
