/**
 * SQL against Postgres, the embedded one or a server: the same statements for both. Values travel as parameters only;
 * JSON goes in as text with a `::jsonb` cast and comes out parsed; `timestamptz` is a `Date`, `bytea` bytes.
 */
export interface Sql {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Several statements without values. */
  script(text: string): Promise<void>;
}

export interface Database extends Sql {
  readonly kind: 'embedded' | 'server';
  /** The id of the key that seals personal data; missing: nothing is sealed. */
  readonly dataKey?: string;
  /**
   * Commits when `work` returns, rolls back when it throws. `work` may use only the handle that it is given: the
   * embedded database has one connection, so any other query would wait for ever. It may run several times: a server
   * that rolls it back because of another transaction is told again.
   */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * The latest error with which a server refused to store, for some seconds; `null`: none. The embedded database ends
   * the process instead.
   */
  refusal?(): string | null;
  close(): Promise<void>;
}

/** The database cannot be reached or used now; nothing was stored. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}
