import { asJsonb } from '../json.js';
import type { Database, Sql } from '../database.js';
import { DataKeyMismatch } from './data-keys.js';
import type { KeyRing } from './key-ring.js';
import {
  MARK,
  MARK_BYTES,
  MEMBER,
  type Seal,
  SealedText,
  unescaped,
  unescapedBytes,
  unsealedValues,
  valuesFor,
} from './personal.js';

/** Opens what stands behind the mark. */
interface Open {
  text(sealed: string): string;
  bytes(sealed: Uint8Array): Uint8Array;
}

/** The database with personal data sealed: what statements mark as `Personal` goes in sealed, and rows come out opened. */
export function sealedDatabase(database: Database, ring: KeyRing): Database {
  const seal = sealWith(ring);
  return { ...through(database, (values) => valuesFor(seal, values), openWith(ring)), dataKey: ring.first };
}

/**
 * The database of an instance without a key. Another instance may get one while this one runs: what that one sealed is
 * refused here, so that no cipher text is taken for a label or a name.
 */
export function unsealedDatabase(database: Database): Database {
  return through(database, unsealedValues, { text: refuse, bytes: refuse });
}

function refuse(): never {
  throw new DataKeyMismatch(
    'DATA_KEY: a value of the database is sealed, and this instance has no key. Another instance has DATA_KEY: give this ' +
      'one the same and restart it',
  );
}

function through(database: Database, goingIn: (values: readonly unknown[]) => unknown[], open: Open): Database {
  const over = (sql: Sql): Sql => ({
    ...sql,
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      const rows = await sql.query<Row>(text, goingIn(values));
      for (const row of rows) openRow(row as Members, open);
      return rows;
    },
  });
  return { ...database, ...over(database), transaction: (work) => database.transaction((sql) => work(over(sql))) };
}

function sealWith(ring: KeyRing): Seal {
  const text = (plain: string) => new SealedText(MARK + ring.seal(Buffer.from(plain)).toString('base64'));
  return {
    text,
    bytes: (plain) => Buffer.concat([MARK_BYTES, ring.seal(plain)]),
    json: (plain) => (plain === null || plain === undefined ? plain : { [MEMBER]: text(asJsonb(plain)) }),
  };
}

function openWith(ring: KeyRing): Open {
  return {
    text: (sealed) => ring.open(Buffer.from(sealed.slice(MARK.length), 'base64')).toString(),
    bytes: (sealed) => ring.open(sealed.subarray(MARK_BYTES.length)),
  };
}

type Members = Record<string, unknown>;

/** Opens every sealed value in a row in place: rows are made for the one query that reads them. */
function openRow(row: Members, open: Open): void {
  for (const name of Object.keys(row)) {
    const value = row[name];
    const opened = typeof value === 'string' && value.startsWith(MARK) ? open.text(value) : openValue(value, open);
    if (opened !== value) row[name] = opened;
  }
}

/** Opens a value of a column that is no sealed text, or of an array in one, where no text is sealed. */
function openValue(value: unknown, open: Open): unknown {
  if (typeof value === 'string') return unescaped(value);
  if (value instanceof Uint8Array) return isSealed(value) ? open.bytes(value) : unescapedBytes(value);
  return Array.isArray(value) ? value.map((each) => openValue(each, open)) : openJson(value, open);
}

/** Opens JSON, in which sealed texts are objects. */
function openJson(value: unknown, open: Open): unknown {
  if (typeof value === 'string') return unescaped(value);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((each) => openJson(each, open));
  const members = value as Members;
  const sealed = members[MEMBER];
  if (typeof sealed === 'string' && sealed.startsWith(MARK)) return openJson(JSON.parse(open.text(sealed)), open);
  for (const name of Object.keys(members)) members[name] = openJson(members[name], open);
  return members;
}

function isSealed(bytes: Uint8Array): boolean {
  return MARK_BYTES.equals(bytes.subarray(0, MARK_BYTES.length));
}
