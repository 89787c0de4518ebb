import type { Heartbeat, InstanceRow } from './instance-rows.js';
import { ARRIVED_AFTER_MS, REQUESTS_PER_WINDOW, WINDOW_MS } from './window.js';

/*
 * The share protocol: how instances on one database divide the requests to the IMS.
 *
 * Every 1.2 s an instance stores a heartbeat in its row of `ims_instance` and reads the rows of all others, in one
 * transaction that locks the table. Each heartbeat gets a growing number, its stamp.
 *
 * - `epoch` of a row is the stamp of the last change that the others must know of before this instance sends: that it
 *   joined, or that it lost Redis.
 * - `ackedEpoch` of a row is a stamp. The instance has read all changes up to it, and has kept to the smaller share for so long that
 *   none of its requests under an earlier, larger one counts any more. An instance that has sent nothing yet acknowledges all that
 *   it reads: when one joins, the others go on. A row is acknowledged when the `ackedEpoch` of all others has reached its `epoch`.
 * - `pooled` of a row says whether the instance reaches Redis.
 *
 * Decision 16 has the reasons.
 */

/** How often an instance sends a heartbeat. */
export const HEARTBEAT_EVERY_MS = 1_200;
/** An answered heartbeat is valid for this long; the others consider the instance dead two seconds later. */
export const VALID_FOR_MS = 5_000;
/** When requests of an earlier, larger share have arrived and left the window. */
const ACKNOWLEDGED_AFTER_MS = ARRIVED_AFTER_MS + WINDOW_MS;

/**
 * The state of an instance, and what it sends in a second:
 * - `absent`: it has no valid heartbeat, at its start or while it cannot write. Nothing.
 * - `joining`: another instance has not acknowledged its row. Nothing.
 * - `pooled`: every instance reaches Redis, and all take from the pool of 50 there.
 * - `leaving-pool`: the others take from the pool as if this instance did, and it does not reach Redis. Nothing.
 * - `sharing`: at least one instance does not reach Redis, or there is none: 50 divided by the instances.
 */
export type ShareState = 'absent' | 'joining' | 'pooled' | 'leaving-pool' | 'sharing';

/** What the rows said at the last heartbeat. */
export interface Membership {
  readonly instances: number;
  readonly pooled: 'all' | 'some';
  /** Whether every other instance has acknowledged our row. */
  readonly acknowledged: 'by-all' | 'not-yet';
}

/** @param membership `null`: no heartbeat is valid @param usesPool whether this instance reaches Redis now */
export function shareState(membership: Membership | null, usesPool: boolean): ShareState {
  if (membership === null) return 'absent';
  if (membership.pooled === 'all' && usesPool) return 'pooled';
  if (membership.acknowledged === 'not-yet') return 'joining';
  return membership.pooled === 'all' && membership.instances > 1 ? 'leaving-pool' : 'sharing';
}

/** @param instances all that are there, this one included */
export function requestsPerSecond(state: ShareState, instances: number): number {
  switch (state) {
    case 'absent':
    case 'joining':
    case 'leaving-pool':
      return 0;
    case 'pooled':
      return REQUESTS_PER_WINDOW;
    case 'sharing':
      return Math.floor(REQUESTS_PER_WINDOW / instances);
  }
}

/** @returns `null`: our row is not there, or is not what our heartbeat says */
export function membershipIn(
  rows: readonly InstanceRow[],
  { id, pooled }: Pick<Heartbeat, 'id' | 'pooled'>,
): Membership | null {
  const own = rows.find((row) => row.id === id);
  if (own === undefined || own.pooled !== pooled) return null;
  const others = rows.filter((row) => row !== own);
  return {
    instances: rows.length,
    pooled: rows.every((row) => row.pooled) ? 'all' : 'some',
    acknowledged: others.every((row) => row.ackedEpoch >= own.epoch) ? 'by-all' : 'not-yet',
  };
}

/**
 * Computes `ackedEpoch`. A later heartbeat must have passed too: a process that stood still sends what was on its way
 * before the next one.
 */
export function createAcknowledgment() {
  let ackedEpoch: number | null = null;
  let recent: readonly { readonly readAtMs: number; readonly stamp: number }[] = [];
  return {
    /** This instance has read all rows up to the stamp, and keeps to its share of them from now on. */
    read: (stamp: number, nowMs: number) => {
      // Before the first read it cannot have sent anything.
      ackedEpoch ??= stamp;
      recent = [...recent, { readAtMs: nowMs, stamp }];
    },
    ackedEpoch: (nowMs: number) => {
      // Of the reads that are long enough ago, the last one: stamps grow.
      const over = recent.slice(0, -1).findLast(({ readAtMs }) => nowMs - readAtMs >= ACKNOWLEDGED_AFTER_MS);
      ackedEpoch = over?.stamp ?? ackedEpoch;
      const acked = ackedEpoch ?? 0;
      recent = recent.filter(({ stamp }) => stamp > acked);
      return acked;
    },
  };
}
