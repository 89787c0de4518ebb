import type { Sql } from '../database.js';

/** More in one transaction would only make the first of them wait. */
const MAX_TOGETHER = 50;

/** A statement and the caller that waits for its rows. */
interface Waiting {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * For a database with one connection, where a commit takes as long as the disk takes to sync: statements that came while
 * another one was at work share a transaction, and so a commit. Each is answered after that commit, in the order they came;
 * where one of them fails, nothing of the transaction is stored, and each is done again on its own.
 * @param alone does one statement and commits it
 * @param transaction commits when its work returns, rolls back when it throws
 */
export function queryTogether(
  alone: Sql['query'],
  transaction: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>,
): Sql['query'] {
  const waiting: Waiting[] = [];
  let busy = false;

  async function oneByOne(statements: readonly Waiting[]): Promise<void> {
    for (const { text, values, resolve, reject } of statements) await alone(text, values).then(resolve, reject);
  }

  async function together(statements: readonly Waiting[]): Promise<void> {
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
        const statements = waiting.splice(0, MAX_TOGETHER);
        await (statements.length === 1 ? oneByOne(statements) : together(statements));
        // What has arrived meanwhile, an answer of another server for instance, asks for something too: it shares the next commit.
        await new Promise((done) => setImmediate(done));
      }
    } finally {
      busy = false;
    }
  }

  return <Row>(text: string, values: readonly unknown[] = []) =>
    new Promise<readonly Row[]>((resolve, reject) => {
      // The caller says what its rows look like, as with every query.
      const answer = (rows: readonly unknown[]) => resolve(rows as readonly Row[]);
      waiting.push({ text, values, resolve: answer, reject });
      if (!busy) void workOff();
    });
}
