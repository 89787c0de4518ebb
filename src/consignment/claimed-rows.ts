import type { Consignment } from './consignment.js';

/**
 * Keeps consignments whose rows this process has inserted with its lease, so that `advance` need not claim them. When the lease
 * ends before `advance` has taken one, it claims that row like any other.
 */
export interface ClaimedRows {
  add(consignment: Consignment, now: Date): void;
  /** @returns `null` when there is none, or its lease has ended */
  take(id: string, now: Date): Consignment | null;
  isEmpty(): boolean;
}

export function createClaimedRows(): ClaimedRows {
  const rows = new Map<string, Consignment>();
  const isClaimed = ({ leaseUntil }: Consignment, now: Date) => leaseUntil !== null && leaseUntil > now;

  function dropEnded(now: Date): void {
    for (const [id, row] of rows) {
      if (isClaimed(row, now)) return;
      rows.delete(id);
    }
  }

  return {
    add: (consignment, now) => {
      dropEnded(now);
      rows.set(consignment.id, consignment);
    },
    take: (id, now) => {
      const row = rows.get(id) ?? null;
      rows.delete(id);
      return row !== null && isClaimed(row, now) ? row : null;
    },
    isEmpty: () => rows.size === 0,
  };
}
