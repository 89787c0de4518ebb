/** Starts one piece of work. @param begun to be called when the next one under its limiter may start */
export type Start = (id: string, begun: () => void) => void;

/** Limits how many pieces of work under one name start at once, first come first served. */
export interface StartLimiter {
  join(id: string, limiter: string): void;
  /** Whether an id that joins now, or behind others, starts at once. */
  hasRoom(limiter: string, behind?: number): boolean;
  /** The number of ids that wait under this name. */
  waiting(limiter: string): number;
  /** Drops all waiting ids. */
  close(): void;
}

interface Limiter {
  beginning: number;
  readonly waiting: Set<string>;
}

/** @param maxStarting how many under each name may start at once */
export function createStartLimiter(start: Start, maxStarting: number): StartLimiter {
  const limiters = new Map<string, Limiter>();

  function begin(id: string, limiter: Limiter): void {
    let isBeginning = true;
    limiter.beginning += 1;
    start(id, () => {
      if (!isBeginning) return;
      isBeginning = false;
      limiter.beginning -= 1;
      beginNext(limiter);
    });
  }

  function beginNext(limiter: Limiter): void {
    const [id] = limiter.waiting;
    if (id === undefined) return;
    limiter.waiting.delete(id);
    begin(id, limiter);
  }

  function limiterOf(name: string): Limiter {
    const limiter = limiters.get(name) ?? { beginning: 0, waiting: new Set() };
    limiters.set(name, limiter);
    return limiter;
  }

  return {
    join: (id, name) => {
      const limiter = limiterOf(name);
      if (limiter.beginning < maxStarting) begin(id, limiter);
      else limiter.waiting.add(id);
    },
    hasRoom: (name, behind = 0) => (limiters.get(name)?.beginning ?? 0) + behind < maxStarting,
    waiting: (name) => limiters.get(name)?.waiting.size ?? 0,
    close: () => limiters.forEach((limiter) => limiter.waiting.clear()),
  };
}
