import type { Sql } from '../database.js';
import type { KeyRing } from './key-ring.js';

/** `DATA_KEY` does not fit what the database holds. */
export class DataKeyMismatch extends Error {
  override readonly name = 'DataKeyMismatch';
  /** EX_CONFIG of sysexits.h. */
  readonly exitCode = 78;
}

/**
 * Stores which key seals, before anything is sealed with it, so that a start without that key is refused.
 * @param ring `null`: no key is set
 * @throws DataKeyMismatch values are sealed with a key that is not given; nothing was changed
 */
export async function requireDataKeys(sql: Sql, ring: KeyRing | null): Promise<void> {
  await compareDataKeys(sql, ring);
  if (ring !== null) await becomeFirst(sql, ring.first);
}

/**
 * Stores nothing.
 * @param ring `null`: no key is set
 * @throws DataKeyMismatch values are sealed with a key that is not given
 */
export async function compareDataKeys(sql: Sql, ring: KeyRing | null): Promise<void> {
  const known = await sql.query<{ id: string }>('select id from data_key order by id');
  const missing = known.map(({ id }) => id).filter((id) => !ring?.ids.includes(id));
  if (missing.length > 0)
    throw new DataKeyMismatch(
      `DATA_KEY: the database holds labels and addresses that are sealed with the key ${missing.join(' and ')}, which is ` +
        `${ring === null ? 'not set' : `not among the keys given (${ring.ids.join(', ')})`}. Add that key to DATA_KEY, behind ` +
        'the first one, separated by a comma. Nothing was changed',
    );
}

/** Makes this key seal all values: a new one, or one that another was put before. Sealing begins anew. */
async function becomeFirst(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `with first as (
       insert into data_key (id, first_used_at) values ($1, now())
       on conflict (id) do update set first_used_at = now(), sealed_all_at = null
        where exists (select from data_key other where other.first_used_at > data_key.first_used_at)
       returning id)
     delete from data_key_progress where key_id in (select id from first)`,
    [id],
  );
}

/**
 * Whether values are left that another key sealed, or none. Another instance may have started with a newer first key, and
 * may have sealed all: then this one's key is stored once more, since it goes on sealing new values with its own.
 */
export async function hasToSeal(sql: Sql, id: string): Promise<boolean> {
  await sql.query(
    `insert into data_key (id, first_used_at, sealed_all_at) values ($1, '-infinity', now()) on conflict do nothing`,
    [id],
  );
  const [newest] = await sql.query<{ id: string; left: boolean }>(
    `select id, sealed_all_at is null or (select count(*) from data_key) > 1 as left
       from data_key order by first_used_at desc limit 1`,
  );
  return newest?.id === id && newest.left;
}
