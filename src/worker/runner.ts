import type { Log } from '../log.js';
import { createStartLimiter } from './start-limiter.js';

/** One piece of work. @param begun to be called when others of its lane may begin; at its end they may in any case */
export type Work = (id: string, begun: () => void) => Promise<void>;

/** Runs pieces of work by id, each at most once at a time in this process. */
export interface Runner {
  /**
   * Returns at once. What is running already runs once more afterwards.
   * @param lane of one lane only so many begin at once, first come first served; without one nothing is waited for
   */
  wake(ids: readonly string[], lane?: string): void;
  running(): readonly string[];
  /** Takes nothing new. @returns when what runs has ended, or after this long */
  stop(withinMs: number): Promise<void>;
}

/** More than this at once only costs memory: the rest waits in the database and is found by the sweeper. */
const MOST_AT_ONCE = 1_000;

/** @param mostBeginning of each lane */
export function createRunner(work: Work, log: Log, mostBeginning = Infinity): Runner {
  const running = new Map<string, { again: boolean }>();
  const lanes = createStartLimiter(start, mostBeginning);
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

  /** It may have been woken without a lane while it waited in one. */
  function start(id: string, begun: () => void): void {
    if (running.has(id)) begun();
    else void run(id, begun);
  }

  return {
    wake: (ids, lane) => {
      for (const id of stopped ? [] : ids) {
        const ticket = running.get(id);
        if (ticket) ticket.again = true;
        else if (running.size + lanes.waiting() >= MOST_AT_ONCE) continue;
        else if (lane === undefined) start(id, () => undefined);
        else lanes.join(id, lane);
      }
    },
    running: () => [...running.keys()],
    stop: async (withinMs) => {
      stopped = true;
      lanes.close();
      const end = Date.now() + withinMs;
      while (running.size > 0 && Date.now() < end) await new Promise((done) => setTimeout(done, 20));
    },
  };
}
