import pg from 'pg';
import type { Log } from '../log.js';
import { type Database, DatabaseUnavailable, type Sql } from './database.js';

const CONNECTIONS = 20;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/** An instance that is held still inside a transaction keeps its locks; after this time the server takes them from it. */
const IDLE_IN_TRANSACTION_MS = 5_000;

/**
 * A Postgres server, shared by any number of instances.
 * @param statementTimeoutMs how long one statement may take, until it counts as not answered
 */
export function openPostgres(url: string, log: Log, statementTimeoutMs = STATEMENT_TIMEOUT_MS): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    application_name: 'waybridge',
  });
  // An idle connection that breaks must not end the process; the next query opens another.
  pool.on('error', (error) => log.warn('database connection lost', { error }));
  return {
    ...sqlOf(pool),
    kind: 'server',
    transaction: (work) => inTransaction(pool, work),
    close: () => pool.end(),
  };
}

async function inTransaction<Result>(pool: pg.Pool, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const client = await pool.connect().catch(unavailable);
  // The pool does not listen to a connection that is lent out, and one that breaks unheard would end the process.
  const heard = () => undefined;
  client.on('error', heard);
  const sql = sqlOf(client);
  try {
    await sql.script('begin');
    const result = await work(sql);
    await sql.script('commit');
    client.release();
    return result;
  } catch (error) {
    // A connection whose rollback fails is in an unknown state: it is thrown away.
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    throw error;
  } finally {
    client.removeListener('error', heard);
  }
}

function sqlOf(handle: pg.Pool | pg.PoolClient): Sql {
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      const result = await handle.query(text, [...values]).catch(unavailable);
      return result.rows as Row[];
    },
    script: async (text) => {
      await handle.query(text).catch(unavailable);
    },
  };
}

/** Codes of a server have this form; an error without one came from the connection, and no server has said anything. */
const SERVER_SAYS = /^(?=.*\d)[0-9A-Z]{5}$/;
/**
 * Lost connections, too many of them, stopping or starting, a disk that fails, what took too long or stood idle for too long,
 * a server that only reads.
 */
const NOT_NOW = /^(08|53|57P|57014|58|25P03|25006)/;

function unavailable(error: unknown): never {
  const { code, message, name } = error as { code?: unknown; message?: string; name?: string };
  const said = typeof code === 'string' && SERVER_SAYS.test(code);
  const mistake = name === 'TypeError' || name === 'RangeError';
  if (said ? NOT_NOW.test(code) : !mistake) throw new DatabaseUnavailable(message ?? 'no connection', { cause: error });
  throw error;
}
