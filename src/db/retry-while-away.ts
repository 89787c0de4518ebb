import { DatabaseUnavailable } from './database.js';
import type { Log } from '../log.js';

/** Shorter than the sweeper's pause: the process that knows an outcome stores it before another takes the row. */
const PAUSE_MS = 150;
/** About ten minutes of a server that refuses connections, and longer when it hangs. */
const MAX_ATTEMPTS = 4_000;
const SAID_EVERY = 20;

/**
 * Repeats work while the database is away. For results that only this process has, such as a carrier's answer: if it
 * were lost, a person would have to look it up at the carrier.
 * @throws any other error at once; DatabaseUnavailable when the database does not come back in time
 */
export async function retryWhileDatabaseAway<Result>(
  { log }: { readonly log: Log },
  about: Readonly<Record<string, string>>,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || attempts === MAX_ATTEMPTS) throw error;
      if (attempts % SAID_EVERY === 1) log.warn('waits for the database', { ...about, attempts, error });
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }
}
