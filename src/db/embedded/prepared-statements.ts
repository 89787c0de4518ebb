import { type PGlite, parse, protocol } from '@electric-sql/pglite';
import type { Sql } from '../database.js';

const { serialize } = protocol;

/**
 * The program has far fewer different statements; the limit keeps a statement text that contains outside values from
 * filling the memory.
 */
const MAX_PREPARED = 500;

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>;

/** A prepared statement: its name, and how the database describes it. */
interface Prepared {
  readonly name: string;
  readonly parameterTypes: readonly number[];
  readonly columns: Messages;
}

/**
 * Prepares statements of the embedded database, because parsing and planning take longer than most statements run.
 * Postgres plans a prepared statement again after one of its tables was analysed (`upkeep.ts`).
 * @returns runs one statement, in the current transaction
 */
export function preparedStatements(pglite: PGlite): Sql['query'] {
  const known = new Map<string, Prepared>();

  async function say(...messages: readonly Uint8Array[]): Promise<Messages> {
    try {
      return await pglite.execProtocolStream(Buffer.concat([...messages, serialize.sync()]), { syncToFs: false });
    } catch (error) {
      // After an error, Postgres skips all messages up to the next sync.
      await pglite.execProtocolStream(serialize.sync(), { syncToFs: false });
      throw error;
    }
  }

  async function prepare(text: string): Promise<Prepared> {
    const name = `s${known.size}`;
    const messages = await say(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    const columns = messages.filter((message) => message.name === 'rowDescription');
    const prepared = { name, parameterTypes: parse.parseDescribeStatementResults(messages), columns };
    known.set(text, prepared);
    return prepared;
  }

  async function forgetAll(): Promise<void> {
    await say(serialize.query('deallocate all'));
    known.clear();
  }

  async function run(text: string, values: readonly unknown[]): Promise<Messages> {
    if (known.size === MAX_PREPARED) await forgetAll();
    const { name, parameterTypes, columns } = known.get(text) ?? (await prepare(text));
    const given = values.map((value, place) => asText(pglite, value, parameterTypes[place]));
    return [...columns, ...(await say(serialize.bind({ statement: name, values: given }), serialize.execute({})))];
  }

  return async <Row>(text: string, values: readonly unknown[] = []) => {
    const messages = await pglite.runExclusive(() => run(text, values));
    // The caller gives the type of the rows, as with every query.
    return (parse.parseResults(messages, pglite.parsers)[0]?.rows ?? []) as Row[];
  };
}

function asText(pglite: PGlite, value: unknown, type: number | undefined): string | null {
  if (value === null || value === undefined) return null;
  const serializer = type === undefined ? undefined : pglite.serializers[type];
  return serializer ? serializer(value) : String(value);
}
