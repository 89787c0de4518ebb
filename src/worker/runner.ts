import type { Log } from '../log.js';
import { outsideAll } from '../transport/scoped.js';
import { createStartLimiter } from './start-limiter.js';

/**
 * One piece of work. @param begun to be called when the next one under its limiter may start; the end of the work counts as
 * well
 */
export type Work = (id: string, begun: () => void) => Promise<void>;

/** Runs pieces of work by id, each at most once at a time in this process. */
export interface Runner {
  /**
   * Starts work on ids and returns at once. An id that is running runs once more afterwards.
   * @param limiter limits how many under this name start at once, first come first served; without one there is no limit
   */
  wake(ids: readonly string[], limiter?: string): void;
  /** Whether an id would start at once under this limiter. @param behind how many are woken under it before; none when missing */
  startsAtOnce(limiter: string, behind?: number): boolean;
  running(): readonly string[];
  /** Starts nothing new. @returns when running work has ended, or after this time */
  stop(withinMs: number): Promise<void>;
}

/** The rest waits in the database, where the sweeper finds it. */
const MAX_AT_ONCE = 1_000;
/** Under one limiter, so that an area whose work does not go on takes no place from another. */
const MAX_WAITING = 500;

/** @param maxStarting how many under each limiter may start at once */
export function createRunner(work: Work, log: Log, maxStarting = Infinity): Runner {
  const running = new Map<string, { again: boolean }>();
  const limiters = createStartLimiter(start, maxStarting);
  let stopped = false;

  async function run(id: string, begun: () => void): Promise<void> {
    const ticket = { again: false };
    running.set(id, ticket);
    try {
      do {
        ticket.again = false;
        await work(id, begun);
      } while (ticket.again && !stopped);
    } catch (error) {
      log.error('work failed', { id, error, stack: error instanceof Error ? error.stack : undefined });
    } finally {
      running.delete(id);
      begun();
    }
  }

  const isFull = () => running.size >= MAX_AT_ONCE;

  /**
   * An id that waits at a limiter may be woken without one meanwhile. The caller may be other work, whose requests and
   * permission to send are not this work's.
   */
  function start(id: string, begun: () => void): void {
    if (running.has(id) || isFull()) begun();
    else outsideAll(() => void run(id, begun));
  }

  return {
    startsAtOnce: (limiter, behind) => !stopped && !isFull() && limiters.hasRoom(limiter, behind),
    wake: (ids, limiter) => {
      for (const id of stopped ? [] : ids) {
        const ticket = running.get(id);
        if (ticket) ticket.again = true;
        else if (isFull()) continue;
        else if (limiter === undefined) start(id, () => undefined);
        else if (limiters.waiting(limiter) < MAX_WAITING) limiters.join(id, limiter);
      }
    },
    running: () => [...running.keys()],
    stop: async (withinMs) => {
      stopped = true;
      limiters.close();
      const end = Date.now() + withinMs;
      while (running.size > 0 && Date.now() < end) await new Promise((done) => setTimeout(done, 20));
    },
  };
}
