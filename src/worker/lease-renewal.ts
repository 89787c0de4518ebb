import type { Clock } from '../../carriers/contract/adapter.js';
import type { Log } from '../log.js';
import type { HeldLeases } from './held-leases.js';
import type { Lease } from './lease.js';

const RENEW_EVERY_MS = 3_000;
/** Long enough for a slow database, short enough that another instance takes over within seconds. */
export const LEASE_MS = 12_000;

/** One kind of row with leases. */
export interface Leased {
  /** What is worked on now. */
  readonly ids: () => readonly string[];
  /** Moves the ends of the leases that are still ours. @returns their ids */
  readonly renew: (lease: Lease, ids: readonly string[]) => Promise<readonly string[]>;
}

/**
 * Keeps the leases of what this process works on, so that they can be short and a call to a carrier long. Where nothing is
 * worked on, nothing is asked of the database.
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
