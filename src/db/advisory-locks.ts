import type { Sql } from './database.js';

/**
 * Every advisory lock that Waybridge takes, by what it guards. A number is unique among these and never changes: instances
 * of two versions that share a database exclude each other by it.
 */
export const ADVISORY_LOCKS = {
  migrations: 7_092_310,
  /** Tracking events and registered parcels. */
  tracking: 7_092_311,
  /** The choice of the instance that writes the tracking status into a shipment's `dataDocument`. */
  statusDocuments: 7_092_312,
  /** The number of subscribers. */
  subscribers: 7_092_313,
  /** The last alert of each cause. */
  alerts: 7_092_315,
} as const;

/**
 * The first numbers of locks with two numbers, which Postgres keeps apart from locks with one. They are unique among these and
 * never change. The second number comes from a name: `holdEachUntilCommit`.
 */
const SHARED_LOCKS = {
  /** Bookings that name no document, by their shipments. */
  shipmentsWithoutDocument: 7_092_316,
} as const;

/**
 * How many second numbers there are. A transaction with thousands of names holds no more locks than this, since a server has
 * room for some thousands of all transactions; names with the same number wait for each other.
 */
const SHARES = 256;

/** Waits for the lock and holds it until the transaction ends; inside a transaction. */
export async function holdUntilCommit(sql: Sql, guarded: keyof typeof ADVISORY_LOCKS): Promise<void> {
  await sql.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS[guarded]]);
}

/**
 * Waits for the locks of these names and holds them until the transaction ends; inside a transaction. All transactions take
 * them in the same order, so that no two wait for each other.
 */
export async function holdEachUntilCommit(
  sql: Sql,
  guarded: keyof typeof SHARED_LOCKS,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  await sql.query(
    `with part as materialized (
       select distinct hashtext(name) & ${SHARES - 1} as n from unnest($2::text[]) name order by n)
     select pg_advisory_xact_lock($1::int, n) from part`,
    [SHARED_LOCKS[guarded], [...names]],
  );
}
