import type { Clock } from '../../carriers/contract/adapter.js';
import type { Log } from '../log.js';
import type { HeldLeases } from './held-leases.js';
import type { Lease } from './lease.js';

const RENEW_EVERY_MS = 3_000;
/** Long enough for a slow database, and short enough that another instance takes over within seconds. */
export const LEASE_MS = 12_000;

/** A kind of row with leases. */
export interface Leased {
  /** The ids of the rows in work. */
  readonly ids: () => readonly string[];
  /** Renews the leases that are still valid. @returns their ids */
  readonly renew: (lease: Lease, ids: readonly string[]) => Promise<readonly string[]>;
}

/**
 * Renews the leases of rows in work, so that leases can be short and calls to carriers long. Sends nothing to the
 * database while no row is in work.
 * @returns stops it
 */
export function keepLeases(tools: {
  readonly log: Log;
  readonly clock: Clock;
  readonly lease: { readonly owner: string; readonly held: HeldLeases };
  readonly kinds: readonly Leased[];
  /** For tests. */
  readonly everyMs?: number;
}): () => void {
  const { log, clock, lease, kinds, everyMs = RENEW_EVERY_MS } = tools;
  const { owner, held } = lease;
  const keep = ({ ids, renew }: Leased) => {
    const running = ids();
    if (running.length === 0) return;
    const now = clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    renew({ owner, now, until }, running).then(
      (renewed) => held.renew(renewed, { now, until }),
      (error: unknown) => log.warn('leases were not renewed', { error }),
    );
  };
  const timer = setInterval(() => kinds.forEach(keep), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
