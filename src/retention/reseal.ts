import { type ConsignmentRow, rowValues, toConsignment } from '../consignment/ledger/row.js';
import type { Sql } from '../db/database.js';
import { asJsonb } from '../db/json.js';
import { hasToSeal } from '../db/sealing/data-keys.js';
import { MARK, MEMBER, Personal } from '../db/sealing/personal.js';
import { KEPT_FIELDS } from './anonymise-rows.js';

/** A table with sealed values. */
interface SealedTable {
  readonly table: string;
  /** The column by which rows are read in order; unique, or all rows with one value are read together. */
  readonly key: string;
  readonly type: 'text' | 'bigint';
  readonly limit: number;
  /** SQL: whether another key than the first one sealed something of a row. */
  readonly isOther: (key: string) => string;
  /** Writes the values again as they were read: sealed with the first key. */
  write(sql: Sql, row: Readonly<Record<string, unknown>>): Promise<unknown>;
}

const MAX_ROWS = 25;
/** A label may have 10 MB. */
const MAX_LABELS = 5;

const hex = (bytes: unknown) => new Personal((seal) => Buffer.from(seal.bytes(bytes as Uint8Array)).toString('hex'));
const text = (plain: unknown) => new Personal((seal) => (plain === '' ? '' : seal.text(String(plain))));

/** A key's id has 8 characters; 6 of them are 8 characters of base64. */
const inBase64 = (key: string) => Buffer.from(key).toString('base64').slice(0, 8);
const inText = (column: string) => (key: string) => `coalesce(${column} ~ '^${MARK}(?!${inBase64(key)})', false)`;
const inJson = (column: string) => (key: string) =>
  `coalesce(${column} ~ '"${MEMBER}": "${MARK}(?!${inBase64(key)})', false)`;
const inBytes = (column: string) => (key: string) =>
  `coalesce(encode(substr(${column}, 1, 15), 'hex') ~ '^${toHex(MARK)}(?!${toHex(key)})', false)`;

function toHex(plain: string): string {
  return Buffer.from(plain).toString('hex');
}

const TABLES: readonly SealedTable[] = [
  {
    ...{ table: 'consignment', key: 'id', type: 'text', limit: MAX_ROWS },
    isOther: inJson('concat(parts::text, effects::text, problems::text, plan::text)'),
    write: (sql, row) => {
      const { parts, effects, problems, plan } = rowValues(toConsignment(row as unknown as ConsignmentRow));
      return sql.query(
        `update consignment set parts = $2::jsonb, effects = $3::jsonb, problems = $4::jsonb,
                plan = case when plan is null then null else $5::jsonb end where id = $1`,
        [row['id'], parts, effects, problems, plan],
      );
    },
  },
  {
    ...{ table: 'label', key: 'consignment_id', type: 'text', limit: MAX_LABELS },
    isOther: inBytes('bytes'),
    write: (sql, { consignment_id: id, n, k, bytes }) =>
      sql.query(`update label set bytes = decode($4, 'hex') where consignment_id = $1 and n = $2 and k = $3`, [
        ...[id, n, k, hex(bytes)],
      ]),
  },
  {
    ...{ table: 'event', key: 'event_id', type: 'text', limit: MAX_ROWS },
    isOther: inText('body'),
    write: (sql, { event_id: id, body }) =>
      sql.query('update event set body = $2 where event_id = $1', [id, text(body)]),
  },
  {
    ...{ table: 'callback', key: 'id', type: 'bigint', limit: MAX_ROWS },
    isOther: (key) => `${inBytes('body')(key)} or ${inJson('outcome::text')(key)}`,
    write: (sql, { id, body, outcome }) =>
      sql.query(`update callback set body = decode($2, 'hex'), outcome = $3::jsonb where id = $1`, [
        ...[id, hex(body), outcomeOf(outcome as Outcome | null)],
      ]),
  },
  {
    ...{ table: 'journal', key: 'id', type: 'bigint', limit: 2 * MAX_ROWS },
    isOther: inJson('fields::text'),
    write: (sql, { id, fields }) => {
      const entries = Object.entries(fields as Readonly<Record<string, unknown>>);
      const sealed = new Personal((seal) =>
        asJsonb(Object.fromEntries(entries.map(([name, value]) => [name, isKept(name) ? value : seal.json(value)]))),
      );
      return sql.query('update journal set fields = $2::jsonb where id = $1', [id, sealed]);
    },
  },
  {
    ...{ table: 'consignment_request', key: 'consignment_id', type: 'text', limit: MAX_LABELS },
    isOther: inBytes('texts'),
    write: async (sql, { consignment_id: id, n, texts }) =>
      texts === null ||
      sql.query(`update consignment_request set texts = decode($3, 'hex') where consignment_id = $1 and n = $2`, [
        ...[id, n, hex(texts)],
      ]),
  },
  {
    ...{ table: 'return_label', key: 'attempt', type: 'text', limit: MAX_LABELS },
    isOther: inBytes('label'),
    write: async (sql, { attempt, label }) =>
      label === null ||
      sql.query(`update return_label set label = decode($2, 'hex') where attempt = $1`, [attempt, hex(label)]),
  },
];

/** What was read in a callback: words of the carrier about a parcel are sealed. */
interface Outcome {
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

function outcomeOf(outcome: Outcome | null): Personal | null {
  if (outcome === null) return null;
  return new Personal((seal) => {
    const events = outcome.events.map((event) => ({
      ...{ ...event, text: seal.json(event['text']), place: seal.json(event['place']) },
    }));
    return asJsonb({ ...outcome, events });
  });
}

function isKept(field: string): boolean {
  return KEPT_FIELDS.includes(field);
}

/** Stand beside the tables: this pass found values of another key; this is a pass after one that did. */
const [FOUND, AGAIN] = ['(found)', '(again)'];

/**
 * Seals the next rows with the first key, where they were sealed with another one or not at all; inside a transaction.
 * The position is stored with them, so that a process that dies continues there.
 * @param key the id of the first key
 * @returns how many rows were read; 0: all values are sealed with this key, and the other keys are needed no more
 */
export async function resealBatch(sql: Sql, key: string): Promise<number> {
  if (!(await hasToSeal(sql, key))) return 0;
  const positions = await sql.query<{ table_name: string; after: string | null; is_done: boolean }>(
    'select table_name, after, is_done from data_key_progress where key_id = $1',
    [key],
  );
  const open = TABLES.find(
    ({ table }) => !positions.some(({ table_name: name, is_done: isDone }) => name === table && isDone),
  );
  const has = (mark: string) => positions.some(({ table_name: name }) => name === mark);
  if (open === undefined) return has(FOUND) ? passAgain(sql, key) : finish(sql, key);
  const after = positions.find(({ table_name: name }) => name === open.table)?.after ?? null;
  const rows = await nextRows(sql, open, { key, after });
  const others = rows.filter(({ is_other: isOther }) => isOther);
  for (const row of has(AGAIN) ? others : rows) await open.write(sql, row);
  if (others.length > 0) await setMark(sql, key, FOUND);
  const last = lastKey(rows, open) ?? after;
  await sql.query(
    `insert into data_key_progress (key_id, table_name, after, is_done) values ($1, $2, $3, $4)
     on conflict (key_id, table_name) do update set after = $3, is_done = $4`,
    [key, open.table, last, rows.length === 0],
  );
  return Math.max(1, rows.length);
}

function lastKey(rows: readonly Readonly<Record<string, unknown>>[], { key }: SealedTable): string | null {
  const last = rows.at(-1);
  return last === undefined ? null : String(last[key]);
}

function nextRows(
  sql: Sql,
  { table, key, type, limit, isOther }: SealedTable,
  from: { readonly key: string; readonly after: string | null },
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return sql.query(
    `select *, (${isOther(from.key)}) as is_other from ${table} where ${key} in (
       select distinct ${key} from ${table} where $1::text is null or ${key} > $1::${type} order by ${key} limit $2)
      order by ${key} for update`,
    [from.after, limit],
  );
}

/**
 * Begins another pass: an instance whose first key is still the old one may have written to rows that were passed. Only
 * a pass that finds nothing is the last.
 */
async function passAgain(sql: Sql, key: string): Promise<1> {
  await sql.query('delete from data_key_progress where key_id = $1', [key]);
  await setMark(sql, key, AGAIN);
  return 1;
}

async function setMark(sql: Sql, key: string, mark: string): Promise<void> {
  await sql.query(
    'insert into data_key_progress (key_id, table_name, is_done) values ($1, $2, true) on conflict do nothing',
    [key, mark],
  );
}

/** Rows that were written meanwhile are sealed with the first key already. */
async function finish(sql: Sql, key: string): Promise<0> {
  await sql.query('update data_key set sealed_all_at = now() where id = $1', [key]);
  await sql.query('delete from data_key where id <> $1', [key]);
  await sql.query('delete from data_key_progress');
  return 0;
}
