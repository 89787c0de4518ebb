// Whatever takes part in a measurement has a process of its own, and ends with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';

const ENDS_WITHIN_MS = 15_000;

/**
 * @param options of `spawn`; the standard error of what runs is shown
 * @returns the process, and `end`, which asks it to end and then makes it
 */
export function start(command, words, options = {}) {
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
  const gone = once(child, 'exit');
  // The waiting code reports the error. Without this handler Node would end the bench.
  gone.catch(() => undefined);
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  child.once('exit', () => process.off('exit', killed));
  const end = async (signal = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
    await gone;
    clearTimeout(timer);
  };
  return { child, end };
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** @param isSo asked every `everyMs` until it says yes @throws Error when it does not in time */
export async function until(what, isSo, { withinMs = 60_000, everyMs = 50 } = {}) {
  const giveUpAt = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(`waited in vain for ${withinMs} ms: ${what}`);
    await pause(everyMs);
  }
}
