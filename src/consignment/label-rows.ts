import type { Sql } from '../db/database.js';

/** A label to be kept: part 0 is the file that is attached. */
export interface StoredLabel {
  readonly n: number;
  readonly k: number;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly pages: number | null;
}

/** Keeps labels; the same place again is replaced. */
export async function storeLabels(
  sql: Sql,
  id: string,
  { labels, now }: { readonly labels: readonly StoredLabel[]; readonly now: Date },
): Promise<void> {
  for (const label of labels) {
    await sql.query(
      `insert into label (consignment_id, n, k, bytes, sha256, pages, created_at) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (consignment_id, n, k) do update set bytes = excluded.bytes, sha256 = excluded.sha256, pages = excluded.pages`,
      [id, label.n, label.k, label.bytes, label.sha256, label.pages, now],
    );
  }
}

/** Labels of some parts. What is among those that were stored just now is not read back. */
export async function labelsOf(
  sql: Sql,
  id: string,
  { parts, justStored }: { readonly parts: readonly number[]; readonly justStored: readonly StoredLabel[] },
): Promise<readonly StoredLabel[]> {
  const isThere = parts.every((part) => justStored.some(({ n }) => n === part));
  const labels = isThere ? justStored : await loadLabels(sql, id);
  return labels.filter(({ n }) => parts.includes(n));
}

export async function loadLabels(sql: Sql, id: string): Promise<readonly StoredLabel[]> {
  const rows = await sql.query<StoredLabel>(
    'select n, k, bytes, sha256, pages from label where consignment_id = $1 order by n, k',
    [id],
  );
  return rows.map((row) => ({ ...row, bytes: new Uint8Array(row.bytes) }));
}
