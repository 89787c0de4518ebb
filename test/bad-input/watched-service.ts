import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { carriers } from '../../carriers/index.js';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import { eventTarget, sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';
import { until } from '../support/harness.js';

const PROBE = fileURLToPath(new URL('./probe.js', import.meta.url));
const STARTS_WITHIN_MS = 180_000;

/** What the service says of itself, after it has thrown away what it does not need. */
export interface Vitals {
  readonly heapUsed: number;
  readonly rss: number;
  /** The longest time in which it did nothing else, since it was asked last. */
  readonly longestMs: number;
}

/** The service in a process of its own, beside a sandbox, and under observation. */
export interface WatchedService {
  readonly sandbox: Sandbox;
  readonly port: number;
  readonly url: string;
  /** Lines of the log at level `error`, and whatever is no line of the log. */
  complaints(): readonly string[];
  /** How it ended; `null` while it runs. */
  ended(): string | null;
  vitals(): Promise<Vitals>;
  stop(): Promise<void>;
}

export async function startWatched(): Promise<WatchedService> {
  const sandbox = await startSandbox({ port: 0, carriers, limits: { requestsPerSecond: null, requestsPerDay: null } });
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-bad-input-'));
  const place = { port: await freePort(), configFile: join(folder, 'waybridge.yaml'), dataDir: join(folder, 'data') };
  await writeFile(place.configFile, sandboxConfig(sandbox));
  await placeEmptyDatabase(place.dataDir);
  const environment = { ...sandboxEnvironment(sandbox, place), LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, ['--liftoff-only', '--import', PROBE, 'bin/waybridge.js', 'serve'], {
    env: environment,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  let ended: string | null = null;
  const gone = new Promise((done) => child.once('exit', (code, signal) => done((ended = signal ?? `code ${code}`))));
  const url = `http://127.0.0.1:${place.port}`;
  const alive = async () => ended !== null || ((await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false);
  await until('the service is ready', alive, STARTS_WITHIN_MS);
  sandbox.control.setEventTargets([eventTarget(url)]);
  const probes = () => output.split('\n').filter((line) => line.startsWith('probe '));
  return {
    ...{ sandbox, url, port: place.port },
    complaints: () => output.split('\n').filter((line) => line !== '' && !line.startsWith('probe ')),
    ended: () => ended,
    vitals: async () => {
      const before = probes().length;
      child.kill('SIGUSR2');
      await until('the service says how it is', () => probes().length > before || ended !== null);
      return JSON.parse(probes().at(-1)?.slice('probe '.length) ?? '{}') as Vitals;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
