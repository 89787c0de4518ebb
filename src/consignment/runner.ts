import type { Log } from '../log.js';

/** Runs pieces of work by id, each at most once at a time in this process. */
export interface Runner {
  /** Returns at once. What is running already runs once more afterwards. */
  wake(ids: readonly string[]): void;
  running(): readonly string[];
  /** Takes nothing new. @returns when what runs has ended, or after this long */
  stop(withinMs: number): Promise<void>;
}

/** More than this at once only costs memory: the rest waits in the database and is found by the sweeper. */
const MOST_AT_ONCE = 1_000;

export function createRunner(work: (id: string) => Promise<void>, log: Log): Runner {
  const running = new Map<string, { again: boolean }>();
  let stopped = false;

  async function run(id: string): Promise<void> {
    const ticket = { again: false };
    running.set(id, ticket);
    try {
      do {
        ticket.again = false;
        await work(id);
      } while (ticket.again && !stopped);
    } catch (error) {
      log.error('work failed', { id, error, stack: error instanceof Error ? error.stack : undefined });
    } finally {
      running.delete(id);
    }
  }

  return {
    wake: (ids) => {
      for (const id of stopped ? [] : ids) {
        const ticket = running.get(id);
        if (ticket) ticket.again = true;
        else if (running.size < MOST_AT_ONCE) void run(id);
      }
    },
    running: () => [...running.keys()],
    stop: async (withinMs) => {
      stopped = true;
      const end = Date.now() + withinMs;
      while (running.size > 0 && Date.now() < end) await new Promise((done) => setTimeout(done, 20));
    },
  };
}
