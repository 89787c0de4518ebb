import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.js';

const SWEEP_EVERY_MS = 500;
/** After an outage every instance first writes the answers that it has kept and shows that it lives; then others look. */
const AFTER_FAILURE_MS = 3_000;

/**
 * Sweeps again and again, never twice at once.
 * @param sweep finds work that is due and that nobody was woken for
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
