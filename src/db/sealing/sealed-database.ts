import { asJsonb } from '../json.js';
import type { Database, Sql } from '../database.js';
import type { KeyRing } from './key-ring.js';
import { type Seal, valuesFor } from './personal.js';

/** Begins every sealed text and sealed bytes; no body of an event or of a callback, and no PDF, begins so. */
const MARK = '\u00a7wb1\u00a7';
const MARK_BYTES = Buffer.from(MARK);
/** The only member of a sealed JSON value. */
const MEMBER = '§sealed';

/** The database with personal data sealed: what statements mark as `Personal` goes in sealed, and rows come out opened. */
export function sealedDatabase(database: Database, ring: KeyRing): Database {
  const seal = sealWith(ring);
  const open = openWith(ring);
  const over = (sql: Sql): Sql => ({
    ...sql,
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      const rows = await sql.query<Row>(text, valuesFor(seal, values));
      return rows.map((row) => open(row) as Row);
    },
  });
  return {
    ...database,
    ...over(database),
    dataKey: ring.first,
    transaction: (work) => database.transaction((sql) => work(over(sql))),
  };
}

function sealWith(ring: KeyRing): Seal {
  const text = (plain: string) => MARK + ring.seal(Buffer.from(plain)).toString('base64');
  return {
    text,
    bytes: (plain) => Buffer.concat([MARK_BYTES, ring.seal(plain)]),
    json: (plain) => (plain === null || plain === undefined ? plain : { [MEMBER]: text(asJsonb(plain)) }),
  };
}

/** @returns opens every sealed value in a value, however deep; a value without one is returned as it is */
function openWith(ring: KeyRing): (value: unknown) => unknown {
  const openText = (text: string) => ring.open(Buffer.from(text.slice(MARK.length), 'base64')).toString();
  const open = (value: unknown): unknown => {
    if (typeof value === 'string') return value.startsWith(MARK) ? openText(value) : value;
    if (value === null || typeof value !== 'object' || value instanceof Date) return value;
    if (value instanceof Uint8Array) return isSealed(value) ? ring.open(value.subarray(MARK_BYTES.length)) : value;
    if (Array.isArray(value)) return value.map(open);
    const sealed = (value as Readonly<Record<string, unknown>>)[MEMBER];
    if (typeof sealed === 'string') return JSON.parse(openText(sealed)) as unknown;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, open(member)]));
  };
  return open;
}

function isSealed(bytes: Uint8Array): boolean {
  return MARK_BYTES.equals(bytes.subarray(0, MARK_BYTES.length));
}
