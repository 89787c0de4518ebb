import { type PGlite, parse, protocol } from '@electric-sql/pglite';

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

/** A statement with its values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export type Rows = readonly unknown[];
/** Gives the rows of the statement at this place; throws when they cannot be read. The statement has been committed all the same. */
export type ReadRows = (place: number) => Rows;
export type RunStatements = (statements: readonly Statement[]) => Promise<ReadRows>;

/**
 * Prepares statements of the embedded database, because parsing and planning take longer than most statements run.
 * Postgres plans a prepared statement again after one of its tables was analysed (`upkeep.ts`).
 * @returns runs statements. Outside a transaction they are one: Postgres commits all of them, or, when the promise rejects, none.
 */
export function preparedStatements(pglite: PGlite): RunStatements {
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

  function callOf({ name, parameterTypes }: Prepared, values: readonly unknown[]): readonly Uint8Array[] {
    const given = values.map((value, place) => asText(pglite, value, parameterTypes[place]));
    return [serialize.bind({ statement: name, values: given }), serialize.execute({})];
  }

  async function run(statements: readonly Statement[]): Promise<ReadRows> {
    if (known.size + statements.length > MAX_PREPARED) await forgetAll();
    const prepared: Prepared[] = [];
    const calls: Uint8Array[] = [];
    for (const { text, values } of statements) {
      const statement = known.get(text) ?? (await prepare(text));
      prepared.push(statement);
      calls.push(...callOf(statement, values));
    }
    const answers = answersIn(await say(...calls));
    return (place) => {
      const answer = answers.length === statements.length ? answers[place] : undefined;
      if (answer?.at(-1)?.name !== RAN) throw new Error('the embedded database has not run this statement to its end');
      return rowsOf([...(prepared[place]?.columns ?? []), ...answer], pglite);
    };
  }

  return (statements) => pglite.runExclusive(() => run(statements));
}

const RAN = 'commandComplete';
/** `emptyQuery`: nothing ran, also because an exception in the WebAssembly, which PGlite swallows, ended the reading of the values. */
const ENDS_ANSWER: ReadonlySet<string> = new Set([RAN, 'emptyQuery']);

/** The messages of each statement, in the order of the statements. */
function answersIn(messages: Messages): readonly Messages[] {
  const answers: Messages[] = [];
  let from = 0;
  messages.forEach(({ name }, place) => {
    if (!ENDS_ANSWER.has(name)) return;
    answers.push(messages.slice(from, place + 1));
    from = place + 1;
  });
  return answers;
}

function rowsOf(messages: Messages, { parsers }: PGlite): Rows {
  return parse.parseResults(messages, parsers)[0]?.rows ?? [];
}

/**
 * PGlite writes messages with a writer that all statements share: what is no text would stay in it and break the next
 * statement's message. It miscounts the bytes of half a surrogate pair, which cuts the text off; a server stores U+FFFD.
 */
function asText(pglite: PGlite, value: unknown, type: number | undefined): string | null {
  if (value === null || value === undefined) return null;
  const serializer = type === undefined ? undefined : pglite.serializers[type];
  return String(serializer ? serializer(value) : value).toWellFormed();
}
