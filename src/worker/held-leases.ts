/** The ends of this process's leases, as it last stored them. No request is sent for a row without a valid lease. */
export interface HeldLeases {
  take(id: string, until: Date): void;
  drop(id: string): void;
  /** Like the database: an expired lease stays expired. */
  renew(ids: readonly string[], lease: { readonly now: Date; readonly until: Date }): void;
  holds(id: string, now: Date): boolean;
}

export function createHeldLeases(): HeldLeases {
  const ends = new Map<string, Date>();
  const holds = (id: string, now: Date) => (ends.get(id)?.getTime() ?? 0) > now.getTime();
  return {
    take: (id, until) => void ends.set(id, until),
    drop: (id) => void ends.delete(id),
    renew: (ids, { now, until }) => {
      for (const id of ids) if (holds(id, now)) ends.set(id, until);
    },
    holds,
  };
}
