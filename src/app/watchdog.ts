import { Worker } from 'node:worker_threads';
import { programFolder } from '../program-files.js';

/** Exit code of a process whose main thread hung. */
export const HUNG_EXIT_CODE = 70;
/** Interval at which the watching thread checks. */
export const TICK_MS = 1_000;
const HEARTBEAT_MS = 500;
/** The main thread counts as hung after this: no work of the service blocks it for a second. */
const HANGS_AFTER_MS = 30_000;
/** The main thread counts as hung after this while the database opens: the embedded one may replay a long log. */
const OPENS_WITHIN_MS = 10 * 60_000;
const PROGRAM = `${programFolder()}dist/bundle/watchdog-thread.js`;

/** Indexes of the shared array: heartbeats of the main thread, the highest number of ticks without one, an element that stays 0. */
export type Heartbeats = Int32Array<SharedArrayBuffer>;

/** Ends the process when its main thread hangs, and logs why: see `watchdog-thread.ts`. */
export interface Watchdog {
  /** To be called when the database is open: from now on the shorter bound holds. */
  opened(): void;
}

/** @param hangsAfterMs shorter in tests */
export function startWatchdog(hangsAfterMs = HANGS_AFTER_MS): Watchdog {
  const shared: Heartbeats = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  Atomics.store(shared, 1, OPENS_WITHIN_MS / TICK_MS);
  new Worker(PROGRAM, { workerData: { shared } }).unref();
  setInterval(() => Atomics.add(shared, 0, 1), HEARTBEAT_MS).unref();
  return { opened: () => void Atomics.store(shared, 1, hangsAfterMs / TICK_MS) };
}
