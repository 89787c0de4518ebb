import { spawn } from 'node:child_process';

const READY_WITHIN_MS = 90_000;

/** The service in a process of its own, as a user starts it. */
export interface RunningService {
  readonly url: string;
  /** Everything it has written so far. */
  output(): string;
  /** @returns its exit code; `null` when the signal ended it */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

/** @throws Error with its output when it is not ready in time */
export async function startService(environment: Readonly<Record<string, string>>): Promise<RunningService> {
  const child = spawn(process.execPath, ['--liftoff-only', 'bin/waybridge.js', 'serve'], { env: { ...environment } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const gone = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const url = `http://127.0.0.1:${environment['PORT']}`;
  const end = Date.now() + READY_WITHIN_MS;
  while (!(await fetch(`${url}/healthz`).catch(() => null))?.ok) {
    if (Date.now() > end || child.exitCode !== null) throw new Error(`the service did not start:\n${output}`);
    await new Promise((done) => setTimeout(done, 20));
  }
  return {
    url,
    output: () => output,
    end: (signal) => {
      child.kill(signal);
      return gone;
    },
  };
}
