import { type PGlite, parse, protocol } from '@electric-sql/pglite';
import type { Sql } from '../database.js';

const { serialize } = protocol;

/**
 * A plan is as good as the tables were when it was made, and nobody tells the embedded database that they have grown: an
 * empty one is best read from end to end, and soon that is the worst way.
 */
const PLANS_LAST_MS = 60_000;
/** Texts of statements are ours, and far fewer; one that is made of what others say must not fill the memory. */
const MAX_PREPARED = 500;

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>;

/** What the database has said of a statement that it knows by name. */
interface Prepared {
  readonly name: string;
  readonly parameterTypes: readonly number[];
  readonly columns: Messages;
}

/**
 * Statements of the embedded database that it has read before are not read and planned again, which takes longer than
 * most of them do.
 * @param elapsedMs from any moment on
 * @returns does one statement, within the transaction that is under way
 */
export function preparedStatements(pglite: PGlite, elapsedMs = () => performance.now()): Sql['query'] {
  const known = new Map<string, Prepared>();
  let since = elapsedMs();

  async function say(...messages: readonly Uint8Array[]): Promise<Messages> {
    try {
      return await pglite.execProtocolStream(Buffer.concat([...messages, serialize.sync()]), { syncToFs: false });
    } catch (error) {
      // What follows an error is skipped, up to the next sync.
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
    since = elapsedMs();
  }

  async function run(text: string, values: readonly unknown[]): Promise<Messages> {
    if (elapsedMs() - since > PLANS_LAST_MS || known.size === MAX_PREPARED) await forgetAll();
    const { name, parameterTypes, columns } = known.get(text) ?? (await prepare(text));
    const given = values.map((value, place) => asText(pglite, value, parameterTypes[place]));
    return [...columns, ...(await say(serialize.bind({ statement: name, values: given }), serialize.execute({})))];
  }

  return async <Row>(text: string, values: readonly unknown[] = []) => {
    const messages = await pglite.runExclusive(() => run(text, values));
    // The caller says what its rows look like, as with every query.
    return (parse.parseResults(messages, pglite.parsers)[0]?.rows ?? []) as Row[];
  };
}

function asText(pglite: PGlite, value: unknown, type: number | undefined): string | null {
  if (value === null || value === undefined) return null;
  const serializer = type === undefined ? undefined : pglite.serializers[type];
  return serializer ? serializer(value) : String(value);
}
