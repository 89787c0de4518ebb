import type { Server } from 'node:http';
import type { Log } from '../log.js';
import { withTimeout } from '../worker/with-timeout.js';

/** Running work gets this part of the 20 s that a stop may take; the rest is for releasing leases and closing. */
export const RUNNING_ENDS_WITHIN_MS = 14_000;
const EACH_CLOSES_WITHIN_MS = 1_500;

/** Closes one part. When it hangs or fails, the log names it and the stop goes on without it. */
export async function closeInTime(what: string, close: () => Promise<void>, log: Log): Promise<void> {
  try {
    const end = await withTimeout(close(), EACH_CLOSES_WITHIN_MS, () => 'late' as const);
    if (end === 'late') log.warn('did not close in time', { what });
  } catch (error) {
    log.warn('did not close', { what, error });
  }
}

/** Finishes running requests and accepts no new ones. */
export async function closeServer(server: Server, stopWork: () => Promise<unknown>): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeIdleConnections();
  await stopWork();
  server.closeAllConnections();
  await closed;
}
