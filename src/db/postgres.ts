import pg from 'pg';
import type { Log } from '../log.js';
import { type Database, DatabaseUnavailable, type Sql } from './database.js';

const CONNECTIONS = 20;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;

/** A Postgres server, shared by any number of instances. */
export function openPostgres(url: string, log: Log): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
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
  try {
    await client.query('begin');
    const result = await work(sqlOf(client));
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // A connection whose rollback fails is in an unknown state: it is thrown away.
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    throw error;
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

const NO_SERVER = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  '57P01',
  '57P03',
  '53300',
  '08006',
  '08001',
];

function unavailable(error: unknown): never {
  const { code, message } = error as { code?: string; message?: string };
  if ((code !== undefined && NO_SERVER.includes(code)) || /timeout|terminated/i.test(message ?? '')) {
    throw new DatabaseUnavailable(message ?? 'no connection', { cause: error });
  }
  throw error;
}
