import { DatabaseUnavailable } from './database.js';
import type { Log } from '../log.js';

/** Shorter than the sweeper's pause: the process that knows an outcome stores it before another takes the row. */
const PAUSE_MS = 150;
/** About ten minutes of a server that refuses connections, and longer when it hangs. */
const MAX_ATTEMPTS = 4_000;
const SAID_EVERY = 20;

/**
 * Does something again and again for as long as the database is away. For what is known only here, such as a carrier's
 * answer: without it somebody would have to look it up.
 * @throws whatever is not about the database being away; that too, when it does not come back
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
