import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { type Heartbeats, HUNG_EXIT_CODE, TICK_MS } from './watchdog.js';

/*
 * Counts its own ticks since the last heartbeat of the main thread. While the whole process or machine stands still, neither
 * thread runs, so such a pause is not counted.
 */
const { shared } = workerData as { readonly shared: Heartbeats };
const [HEARTBEATS, MAX_STILL, NEVER_WOKEN] = [0, 1, 2];
/** The process has this long to end by itself; then the kernel kills it. */
const EXITS_WITHIN_MS = 2_000;

let last = -1;
let still = 0;
while (still < Atomics.load(shared, MAX_STILL)) {
  Atomics.wait(shared, NEVER_WOKEN, 0, TICK_MS);
  const heartbeats = Atomics.load(shared, HEARTBEATS);
  still = heartbeats === last ? still + 1 : 0;
  last = heartbeats;
}
endProcess(still);

function endProcess(seconds: number): void {
  const line = { level: 'error', message: 'the process hung', seconds, exitCode: HUNG_EXIT_CODE };
  const error = `nothing was done for ${seconds} s: the embedded database or the disk does not come back. The process ends; the next start goes on from what is on disk.`;
  try {
    writeSync(1, `${JSON.stringify({ ...line, error, timestamp: new Date().toISOString() })}\n`);
  } catch {
    // When the output cannot be written, the process must end all the same.
  }
  // A signal does not work: the kernel ignores one that the first process of a container sends to itself. The debugger interrupts
  // whatever the main thread computes.
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: `process.reallyExit(${HUNG_EXIT_CODE})` });
  // The debugger cannot interrupt a system call.
  Atomics.wait(shared, NEVER_WOKEN, 0, EXITS_WITHIN_MS);
  process.kill(process.pid, 'SIGKILL');
}
