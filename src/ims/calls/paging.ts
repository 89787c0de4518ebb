/** The interface allows at most this many rows in one answer. */
const ROWS_PER_PAGE = 1_000;

/** Which part of a long list is read. */
export interface Stretch {
  /** Each is one request; as many as there are when not given. */
  readonly maxPages?: number;
  /** So many rows were read before; 0 when not given. */
  readonly from?: number;
  /** Told when it ends although there may be more, with what is `from` the next time. */
  readonly onCut?: (from: number) => void;
}

/**
 * All rows of a list, each once by its id, whether the IMS counts rows from 0 or from 1: each page begins one row before
 * the end of what is known, and what is known is passed over. It ends at a short page, or at one that brings nothing new.
 * Rows that leave the list between two pages may hide others until the list is read again.
 *
 * @param loadPage given `maxNumRows` and `firstRow`, as they stand in a query
 * @param idOf `null` for a row that cannot be told apart: it is passed over
 */
export async function* pagedRows<Row>(
  loadPage: (query: Readonly<Record<string, string>>) => Promise<readonly Row[]>,
  idOf: (row: Row) => string | null,
  { maxPages = Infinity, from = 0, onCut }: Stretch = {},
): AsyncGenerator<Row, void> {
  const known = new Set<string>();
  let received = from;
  for (let news = 1, pages = 0; news > 0; pages += 1) {
    if (pages >= maxPages) return onCut?.(received);
    const first: Record<string, string> = received === 0 ? {} : { firstRow: String(received - 1) };
    const page = await loadPage({ maxNumRows: String(ROWS_PER_PAGE), ...first });
    const fresh = page.filter((row) => isNew(idOf(row), known));
    yield* fresh;
    news = page.length < ROWS_PER_PAGE ? 0 : fresh.length;
    received += fresh.length;
  }
}

function isNew(id: string | null, known: Set<string>): boolean {
  if (id === null || known.has(id)) return false;
  known.add(id);
  return true;
}
