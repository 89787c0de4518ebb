import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.js';

const SWEEP_EVERY_MS = 500;
/**
 * The pause of searches after a database outage, in which every instance stores its unwritten answers and its
 * heartbeat.
 */
const AFTER_FAILURE_MS = 3_000;

/**
 * Repeats sweeps, never two at once.
 * @param sweep finds due work that no wake-up announced
 * @param answers whether the database is back
 * @returns stops it
 */
export function startSweeper(tools: {
  readonly sweep: () => Promise<void>;
  readonly answers: () => Promise<unknown>;
  readonly log: Log;
}): () => void {
  const { sweep, answers, log } = tools;
  let busy = false;
  let failed = false;
  const afterFailure = async () => {
    await answers();
    await pause(AFTER_FAILURE_MS, undefined, { ref: false });
    failed = false;
  };
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    (failed ? afterFailure() : Promise.resolve())
      .then(sweep)
      .catch((error: unknown) => {
        failed = true;
        log.warn('sweep failed', { error });
      })
      .finally(() => (busy = false));
  }, SWEEP_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
