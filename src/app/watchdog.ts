import { Worker } from 'node:worker_threads';
import { programFolder } from '../program-files.js';

/** The main thread has done nothing for too long. */
export const HUNG_EXIT_CODE = 70;
/** The thread that watches looks so often. */
export const TICK_MS = 1_000;
const BEAT_MS = 500;
/** Nothing that the service does holds up its one thread for a second. */
const HANGS_AFTER_MS = 30_000;
/** After a crash the embedded database may have much to read before it is open. */
const OPENS_WITHIN_MS = 10 * 60_000;
const PROGRAM = `${programFolder()}dist/bundle/watchdog-thread.js`;

/** Beats of the main thread; how many ticks without one are too many; a place that stays 0. */
export type Beats = Int32Array<SharedArrayBuffer>;

/** Ends the process when its main thread hangs, with a line that says so: see `watchdog-thread.ts`. */
export interface Watchdog {
  /** The database is open: from now on the thread may be held up for a short time only. */
  opened(): void;
}

/** @param hangsAfterMs tests do not want to wait as long */
export function startWatchdog(hangsAfterMs = HANGS_AFTER_MS): Watchdog {
  const shared: Beats = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  Atomics.store(shared, 1, OPENS_WITHIN_MS / TICK_MS);
  new Worker(PROGRAM, { workerData: { shared } }).unref();
  setInterval(() => Atomics.add(shared, 0, 1), BEAT_MS).unref();
  return { opened: () => void Atomics.store(shared, 1, hangsAfterMs / TICK_MS) };
}
