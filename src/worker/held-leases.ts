/** Until when this process holds what it works on, as far as it knows: nothing leaves for what it does not hold. */
export interface HeldLeases {
  take(id: string, until: Date): void;
  drop(id: string): void;
  /** As in the database: a lease that has ended stays ended. */
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
