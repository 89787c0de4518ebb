import type { Sql } from '../database.js';
import type { ReadRows, Rows, RunStatements, Statement } from './prepared-statements.js';

/** The most statements in one transaction; with more, the first ones would wait longer for their answers. */
const MAX_STATEMENTS = 50;
/** So many characters of values end a transaction, which is one message to Postgres: labels may be large. */
const ENOUGH_CHARACTERS = 1_000_000;
/**
 * After a commit, the event loop handles what has arrived meanwhile, such as answers of other servers: their statements share the next
 * commit. An answer arrives in several turns: under load, three turns make two commits of what one makes five.
 */
const TURNS = 3;

/** A statement and the caller that waits for its rows. */
interface Waiting extends Statement {
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * For a database with one connection, where each commit waits for the disk: statements that arrive while another
 * statement runs share a transaction, and so a commit. Each caller gets its rows after that commit, in the order of
 * arrival. When one statement fails, the transaction is rolled back and each statement runs again in a transaction of
 * its own. Not a `createBatcher` of the later room `worker`: a statement that meets no other runs at once.
 * @param inOneTransaction commits the statements, or rolls all of them back and throws
 */
export function withGroupCommit(inOneTransaction: RunStatements): Sql['query'] {
  const waiting: Waiting[] = [];
  let busy = false;

  async function runAll(statements: readonly Waiting[]): Promise<void> {
    try {
      giveRows(statements, await inOneTransaction(statements));
    } catch (error) {
      if (statements.length === 1) statements[0]?.reject(error);
      else for (const statement of statements) await runAll([statement]);
    }
  }

  async function workOff(): Promise<void> {
    busy = true;
    try {
      while (waiting.length > 0) {
        await runAll(waiting.splice(0, countOfNext(waiting)));
        await turnsOfEventLoop(TURNS);
      }
    } finally {
      busy = false;
    }
  }

  return <Row>(text: string, values: readonly unknown[] = []) =>
    new Promise<readonly Row[]>((resolve, reject) => {
      // The caller gives the type of the rows, as with every query.
      const answer = (rows: Rows) => resolve(rows as readonly Row[]);
      waiting.push({ text, values, resolve: answer, reject });
      if (!busy) void workOff();
    });
}

/** Never throws: the statements have been committed, and must not run again. */
function giveRows(statements: readonly Waiting[], rowsOf: ReadRows): void {
  statements.forEach(({ resolve, reject }, place) => {
    try {
      resolve(rowsOf(place));
    } catch (error) {
      reject(error);
    }
  });
}

async function turnsOfEventLoop(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((done) => setImmediate(done));
}

/** How many of the statements share the next transaction. */
function countOfNext(waiting: readonly Statement[]): number {
  let characters = 0;
  const full = waiting.findIndex(({ values }) => (characters += lengthOf(values)) >= ENOUGH_CHARACTERS);
  return Math.min(full === -1 ? waiting.length : full + 1, MAX_STATEMENTS);
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, member: unknown) => sum + lengthOf(member), 0);
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
}
