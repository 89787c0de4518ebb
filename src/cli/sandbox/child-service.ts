import { randomInt } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createServer } from 'node:net';
import { programFolder } from '../../program-files.js';
import { waitUntil } from './wait-until.js';

const PATIENCE = { withinMs: 60_000, everyMs: 50 };
const PROGRAM = `${programFolder()}dist/bundle/main.js`;

/** The service in a process of its own, so that it can be killed. */
export interface ChildService {
  readonly url: string;
  /** Kills it with SIGKILL, like a power cut. @returns when it has ended */
  kill(): Promise<void>;
  /** Stops it with SIGTERM, like an orchestrator. @returns its exit code */
  stop(): Promise<number | null>;
}

/** Below the ports that systems give to connections, so that none of them takes it before the service does. */
const [FIRST_PORT, AFTER_LAST_PORT] = [20_000, 30_000];
const MAX_ATTEMPTS = 100;

export async function freePort(): Promise<number> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const port = randomInt(FIRST_PORT, AFTER_LAST_PORT);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port');
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((done) => {
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}

/**
 * Starts the service and waits until it can work.
 * @param environment the whole environment of the process; nothing is added
 * @param logFile gets the lines of its log
 */
export async function startChild(
  environment: Readonly<Record<string, string>>,
  logFile: string,
): Promise<ChildService> {
  const log = createWriteStream(logFile, { flags: 'a' });
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const stopWithUs = () => child.kill('SIGTERM');
  process.once('exit', stopWithUs);
  const gone = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  void gone.then(() => process.off('exit', stopWithUs));
  const url = `http://127.0.0.1:${environment.PORT}`;
  await Promise.race([
    untilReady(url),
    gone.then((code) => Promise.reject(new Error(`the service ended with ${code}: see ${logFile}`))),
  ]);
  return {
    url,
    kill: async () => {
      await end(child, 'SIGKILL', gone);
      await closed(log);
    },
    stop: async () => {
      const code = await end(child, 'SIGTERM', gone);
      await closed(log);
      return code;
    },
  };
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM', gone: Promise<number | null>) {
  child.kill(signal);
  return gone;
}

function closed(log: WriteStream): Promise<void> {
  return new Promise((done) => log.end(() => done()));
}

async function untilReady(url: string): Promise<void> {
  const isReady = await waitUntil(async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true, PATIENCE);
  if (!isReady) throw new Error('the service was not ready in time');
}
