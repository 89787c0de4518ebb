import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { type Beats, HUNG_EXIT_CODE, TICK_MS } from './watchdog.js';

/*
 * Counts its own ticks without a beat of the main thread in between: where the whole process or machine stood still, both
 * did, and nothing is missing.
 */
const { shared } = workerData as { readonly shared: Beats };
const [BEATS, MAX_STILL, NEVER_WOKEN] = [0, 1, 2];
/** After that the kernel does it. */
const EXITS_WITHIN_MS = 2_000;

let last = -1;
let still = 0;
while (still < Atomics.load(shared, MAX_STILL)) {
  Atomics.wait(shared, NEVER_WOKEN, 0, TICK_MS);
  const beats = Atomics.load(shared, BEATS);
  still = beats === last ? still + 1 : 0;
  last = beats;
}
endProcess(still);

function endProcess(seconds: number): void {
  const line = { level: 'error', message: 'the process hung', seconds, exitCode: HUNG_EXIT_CODE };
  const error = `nothing was done for ${seconds} s: the embedded database or the disk does not come back. The process ends; the next start goes on from what is on disk.`;
  try {
    writeSync(1, `${JSON.stringify({ ...line, error, timestamp: new Date().toISOString() })}\n`);
  } catch {
    // The output cannot be written; the process has to end all the same.
  }
  // Not by a signal: one that the first process of a container sends to itself is ignored. The debugger's way interrupts
  // whatever the main thread computes.
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: `process.reallyExit(${HUNG_EXIT_CODE})` });
  // In the middle of a call of the system it is not heard.
  Atomics.wait(shared, NEVER_WOKEN, 0, EXITS_WITHIN_MS);
  process.kill(process.pid, 'SIGKILL');
}
