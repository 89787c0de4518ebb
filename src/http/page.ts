/** A number that fits into a `bigint`. */
const CURSOR = /^\d{1,18}$/;
const MAX_ROWS = 200;
const ROWS = 50;

/** Reads the page of a list whose cursor is a row's number. @returns the page, or an error text */
export function pageIn(
  query: Readonly<Record<string, unknown>>,
): { readonly cursor: string | null; readonly limit: number } | string {
  const { cursor = null, limit = ROWS } = query;
  if (cursor !== null && !(typeof cursor === 'string' && CURSOR.test(cursor)))
    return 'cursor is what the page before ended with';
  const rows = Number(limit);
  if (!Number.isInteger(rows) || rows < 1 || rows > MAX_ROWS) return `limit is 1 to ${MAX_ROWS}`;
  return { cursor, limit: rows };
}
