import type { Label } from '../../../carriers/contract/model.js';
import type { Sql } from '../../db/database.js';
import { Personal } from '../../db/sealing/personal.js';
import { formatOf } from '../../labels/label-format.js';
import { named } from '../../db/named.js';
import type { Consignment } from '../consignment.js';

/** A stored label; part 0 is the file that is attached. */
export interface StoredLabel {
  readonly n: number;
  readonly k: number;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly pages: number | null;
}

/** A label as the carrier gave it, to be put together with others. */
export function asLabel({ bytes }: Pick<StoredLabel, 'bytes'>): Label {
  return { format: formatOf(bytes), bytes };
}

/** SQL expressions for the consignment's id, its source, and the time. */
interface Keeping {
  readonly id: string;
  readonly from: string;
  readonly now: string;
}

/** A statement, or a part of one, that stores labels; a label in the same place is replaced. Its values: `labelValues`. */
export function keepLabels({ id, from, now }: Keeping): string {
  return `insert into label (consignment_id, n, k, bytes, sha256, pages, created_at)
     select ${id}, given.n, given.k, decode((:labelHex::text[])[given.at], 'hex'), given.sha256, given.pages, ${now}
       from ${from}unnest(:labelParts::int[], :labelPlaces::int[], :labelHexAt::int[], :labelSha256::text[], :labelPages::int[])
              as given (n, k, at, sha256, pages)
     on conflict (consignment_id, n, k) do update
        set bytes = excluded.bytes, sha256 = excluded.sha256, pages = excluded.pages`;
}

/**
 * SQL beside `keepLabels`, where that gets all labels of a part: deletes the other labels of the part, which are of an earlier
 * booking and would be printed with these. Files (part 0) stay.
 */
export function deleteOtherLabels({ id, from }: Omit<Keeping, 'now'>): string {
  return `delete from label ${from}
      where label.consignment_id = ${id} and label.n > 0 and label.n = any(:labelParts::int[])
        and not exists (select from unnest(:labelParts::int[], :labelPlaces::int[]) as given (n, k)
                         where given.n = label.n and given.k = label.k)`;
}

/**
 * The values of `keepLabels`; of several labels for one place the last counts. Bytes are sent as text, because both databases take
 * texts in arrays. Equal bytes are sent once: a single label and its file are the same.
 */
export function labelValues(labels: readonly StoredLabel[]): Readonly<Record<string, unknown>> {
  const places = [...new Map(labels.map((label) => [`${label.n} ${label.k}`, label])).values()];
  const different = [...new Map(places.map((label) => [label.sha256, label])).values()];
  return {
    labelParts: places.map(({ n }) => n),
    labelPlaces: places.map(({ k }) => k),
    labelHex: new Personal((seal) => different.map(({ bytes }) => toHex(seal.bytes(bytes)))),
    labelHexAt: places.map(({ sha256 }) => different.findIndex((each) => each.sha256 === sha256) + 1),
    labelSha256: places.map(({ sha256 }) => sha256),
    labelPages: places.map(({ pages }) => pages),
  };
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/**
 * Stores labels ahead of the plan that they belong to.
 * @returns whether it did: nothing is stored where the lease has ended, or another process has the consignment
 */
export async function storeLabels(
  sql: Sql,
  { id, version }: Pick<Consignment, 'id' | 'version'>,
  { labels, owner, now }: { readonly labels: readonly StoredLabel[]; readonly owner: string; readonly now: Date },
): Promise<boolean> {
  const text = `with held as (
       select id from consignment
        where id = :id and version = :version and lease_owner = :owner and lease_until > :now for update
     ), kept as (${keepLabels({ id: 'held.id', from: 'held, ', now: ':now' })}),
       others as (${deleteOtherLabels({ id: 'held.id', from: 'using held' })})
     select id from held`;
  const held = await sql.query(...named(text, { id, version, owner, now, ...labelValues(labels) }));
  return held.length > 0;
}

/** Labels of some parts; those in `justStored` are not read again. */
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
