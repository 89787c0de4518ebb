import type { Database } from '../db/database.js';
import type { Log } from '../log.js';
import { renewLeases } from './ledger.js';

const RENEW_EVERY_MS = 3_000;
/** Long enough for a slow database, short enough that another instance takes over within seconds. */
export const LEASE_MS = 12_000;

/**
 * Keeps the leases of what this process works on, so that they can be short and a call to a carrier long.
 * @param tools.running ids of what is worked on; without any, nothing is asked of the database
 * @returns stops it
 */
export function keepLeases(tools: {
  readonly database: Database;
  readonly log: Log;
  readonly owner: string;
  readonly running: () => readonly string[];
}): () => void {
  const { database, log, owner, running } = tools;
  const timer = setInterval(() => {
    const ids = running();
    if (ids.length === 0) return;
    const now = new Date();
    renewLeases(database, { owner, now, until: new Date(now.getTime() + LEASE_MS) }, ids).catch((error: unknown) =>
      log.warn('leases were not renewed', { error }),
    );
  }, RENEW_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
