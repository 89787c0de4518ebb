import type { Clock } from '../../carriers/contract/adapter.js';
import type { Database } from '../db/database.js';
import type { Log } from '../log.js';
import { renewErrandLeases } from './errand-rows.js';
import type { HeldLeases } from './held-leases.js';
import { renewLeases } from './ledger.js';

const RENEW_EVERY_MS = 3_000;
/** Long enough for a slow database, short enough that another instance takes over within seconds. */
export const LEASE_MS = 12_000;

/**
 * Keeps the leases of what this process works on, so that they can be short and a call to a carrier long.
 * @param tools.consignments ids of what is worked on; without any, nothing is asked of the database
 * @returns stops it
 */
export function keepLeases(tools: {
  readonly database: Database;
  readonly log: Log;
  readonly clock: Clock;
  readonly lease: { readonly owner: string; readonly held: HeldLeases };
  readonly consignments: () => readonly string[];
  readonly errands: () => readonly string[];
  /** For tests. */
  readonly everyMs?: number;
}): () => void {
  const { database, log, clock, lease, consignments, errands, everyMs = RENEW_EVERY_MS } = tools;
  const { owner, held } = lease;
  const renew = (kept: typeof renewLeases, ids: readonly string[]) => {
    if (ids.length === 0) return;
    const now = clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    kept(database, { owner, now, until }, ids).then(
      (renewed) => held.renew(renewed, { now, until }),
      (error: unknown) => log.warn('leases were not renewed', { error }),
    );
  };
  const timer = setInterval(() => {
    renew(renewLeases, consignments());
    renew(renewErrandLeases, errands());
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
