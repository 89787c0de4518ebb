/** The interface allows at most this many rows in one answer. */
const ROWS_PER_PAGE = 1_000;

/** The part of a long list to read. */
export interface Stretch {
  /** The most pages, one request each; missing: no limit. */
  readonly maxPages?: number;
  /** The number of rows that were read before; missing: 0. */
  readonly from?: number;
  /** Called when reading ends before the list may have ended, with the next `from`. */
  readonly onCut?: (from: number) => void;
}

/**
 * All rows of a list, each once by its id. It is not known whether the IMS counts rows from 0 or from 1, so each page
 * begins one row before the last known row, and known rows are skipped. Reading ends at a short page, or at a page
 * without a new row. Rows that leave the list between two pages may hide others until the list is read again.
 *
 * @param loadPage called with `maxNumRows` and `firstRow` as query parameters
 * @param idOf `null`: the row has no id and is skipped
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
