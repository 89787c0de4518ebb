import pg from 'pg';
import type { Log } from '../log.js';
import { type Database, DatabaseUnavailable, type Sql } from './database.js';
import { plainValues } from './sealing/personal.js';

const CONNECTIONS = 20;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/**
 * How much longer than the statement timeout we wait for the server to report that it ended the statement, which may
 * still succeed until then.
 */
const LAST_WORD_WITHIN_MS = 5_000;
/**
 * The server ends a transaction that is idle for this time, because an instance that stands still would keep its locks.
 */
const IDLE_IN_TRANSACTION_MS = 5_000;
/**
 * How long a refused write counts: writes are repeated within seconds, so a server that still cannot store reports it
 * again in this time.
 */
const REFUSAL_COUNTS_MS = 30_000;
/** How often work runs that the server rolls back because of another transaction. */
const MAX_ATTEMPTS = 5;

/** What the server ends. */
export interface ServerLimits {
  /** How long one statement may take. */
  readonly statementMs: number;
  /** How long a transaction may be idle. */
  readonly idleMs: number;
}

const LIMITS: ServerLimits = { statementMs: STATEMENT_TIMEOUT_MS, idleMs: IDLE_IN_TRANSACTION_MS };

/** A Postgres server, shared by any number of instances. */
export function openPostgres(url: string, log: Log, limits: Partial<ServerLimits> = {}): Database {
  const { statementMs, idleMs } = { ...LIMITS, ...limits };
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementMs,
    query_timeout: statementMs + LAST_WORD_WITHIN_MS,
    idle_in_transaction_session_timeout: idleMs,
    application_name: 'waybridge',
  });
  // An idle connection that breaks must not end the process; the next query opens another.
  pool.on('error', (error) => log.warn('database connection lost', { error }));
  const refusals = keepRefusals();
  const sql = sqlOf(pool, refusals.fail);
  return {
    ...sql,
    kind: 'server',
    query: (text, values) => repeatRolledBack(() => sql.query(text, values)),
    transaction: (work) => repeatRolledBack(() => inTransaction(pool, work, refusals.fail)),
    refusal: refusals.last,
    close: () => pool.end(),
  };
}

/** Repeats at once: the other transaction got the locks when this work was rolled back. */
async function repeatRolledBack<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRolledBack(error) || attempts === MAX_ATTEMPTS) throw error;
    }
  }
}

function isRolledBack(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : null;
  return cause instanceof Error && ROLLED_BACK.has(saidIn(cause).code);
}

/** Throws the caller's error for a database error. */
type Fail = (error: unknown) => never;

/** Remembers a refused write, because a server with a full disk still answers reads. */
function keepRefusals() {
  let last = { said: '', at: -Infinity };
  const fail: Fail = (error) => {
    const { code, message } = saidIn(error);
    if (DOES_NOT_STORE.test(String(code))) last = { said: message, at: performance.now() };
    return unavailable(error);
  };
  return { fail, last: () => (performance.now() - last.at < REFUSAL_COUNTS_MS ? last.said : null) };
}

async function inTransaction<Result>(pool: pg.Pool, work: (sql: Sql) => Promise<Result>, fail: Fail): Promise<Result> {
  const client = await pool.connect().catch(fail);
  // The pool does not listen for errors of a connection in use; without a listener, such an error would end the
  // process. The error tells why the server ended the connection; later statements only say that it has ended.
  let lost: Error | undefined;
  const heard = (error: Error) => (lost ??= error);
  client.on('error', heard);
  const sql = sqlOf(client, (error) => fail(lost ?? error));
  try {
    await sql.script('begin');
    const result = await work(sql);
    await sql.script('commit');
    client.release();
    return result;
  } catch (error) {
    // After a failed rollback the state of the connection is unknown, so it is closed.
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    throw error;
  } finally {
    client.removeListener('error', heard);
  }
}

function sqlOf(handle: pg.Pool | pg.PoolClient, fail: Fail): Sql {
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      const result = await handle.query(text, plainValues(values)).catch(fail);
      return result.rows as Row[];
    },
    script: async (text) => {
      await handle.query(text).catch(fail);
    },
  };
}

/** The form of SQLSTATE. An error without one comes from the connection, not from a server. */
const SERVER_SAYS = /^(?=.*\d)[0-9A-Z]{5}$/;
/** SQLSTATE of a serialization failure and of a deadlock. */
const ROLLED_BACK: ReadonlySet<unknown> = new Set(['40001', '40P01']);
/**
 * SQLSTATE of an unavailable database: lost or too many connections, shutdown and start, disk errors, timeouts, a
 * read-only server, and what the server rolls back because of another transaction.
 */
const NOT_NOW = /^(08|53|57P|57014|58|25P03|25006|40001|40P01)/;
/**
 * The errors of a server that cannot store: no disk space, no memory, no file descriptors, disk errors. Too many
 * connections is not among them.
 */
const DOES_NOT_STORE = /^(53(?!300)|58)/;
/** An error that ends the connection says nothing about the statement. */
const ENDS_CONNECTION: ReadonlySet<unknown> = new Set(['FATAL', 'PANIC']);

function unavailable(error: unknown): never {
  const { code, name, severity, message } = saidIn(error);
  const said = typeof code === 'string' && SERVER_SAYS.test(code);
  const mistake = name === 'TypeError' || name === 'RangeError';
  const isAway = said ? NOT_NOW.test(code) || ENDS_CONNECTION.has(severity) : !mistake;
  throw isAway ? new DatabaseUnavailable(message, { cause: error }) : error;
}

function saidIn(error: unknown) {
  const { code, message, name, severity } = error as Partial<Record<'code' | 'message' | 'name' | 'severity', unknown>>;
  // When several addresses refuse, Node throws one error without a message.
  const words = [message, code].find((each) => typeof each === 'string' && each !== '');
  return { code, name, severity, message: String(words ?? 'no connection') };
}
