import type { Sql } from '../database.js';

/** The most statements in one transaction; with more, the first ones would wait longer for their answers. */
const MAX_STATEMENTS = 50;

/** A statement and the caller that waits for its rows. */
interface Waiting {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * For a database with one connection, where each commit waits for the disk: statements that arrive while another
 * statement runs share a transaction, and so a commit. Each caller gets its rows after that commit, in the order of
 * arrival. When one statement fails, the transaction is rolled back and each statement runs again in a transaction of
 * its own. Not a `createBatcher` of the later room `worker`: a statement that meets no other runs at once.
 * @param alone runs and commits one statement
 * @param transaction commits when its work returns, rolls back when it throws
 */
export function withGroupCommit(
  alone: Sql['query'],
  transaction: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>,
): Sql['query'] {
  const waiting: Waiting[] = [];
  let busy = false;

  async function oneByOne(statements: readonly Waiting[]): Promise<void> {
    for (const { text, values, resolve, reject } of statements) await alone(text, values).then(resolve, reject);
  }

  async function inOneTransaction(statements: readonly Waiting[]): Promise<void> {
    const all = transaction(async (sql) => {
      const answers: (readonly unknown[])[] = [];
      for (const { text, values } of statements) answers.push(await sql.query(text, values));
      return answers;
    });
    await all.then(
      (answers) => statements.forEach(({ resolve }, place) => resolve(answers[place] ?? [])),
      () => oneByOne(statements),
    );
  }

  async function workOff(): Promise<void> {
    busy = true;
    try {
      while (waiting.length > 0) {
        const statements = waiting.splice(0, MAX_STATEMENTS);
        await (statements.length === 1 ? oneByOne(statements) : inOneTransaction(statements));
        // Lets the event loop handle what has arrived, such as answers of other servers: their statements share the
        // next commit.
        await new Promise((done) => setImmediate(done));
      }
    } finally {
      busy = false;
    }
  }

  return <Row>(text: string, values: readonly unknown[] = []) =>
    new Promise<readonly Row[]>((resolve, reject) => {
      // The caller gives the type of the rows, as with every query.
      const answer = (rows: readonly unknown[]) => resolve(rows as readonly Row[]);
      waiting.push({ text, values, resolve: answer, reject });
      if (!busy) void workOff();
    });
}
