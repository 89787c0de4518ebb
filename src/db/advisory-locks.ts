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

/** Waits for the lock and holds it until the transaction ends; inside a transaction. */
export async function holdUntilCommit(sql: Sql, guarded: keyof typeof ADVISORY_LOCKS): Promise<void> {
  await sql.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS[guarded]]);
}
