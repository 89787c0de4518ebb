import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import { mayHaveNamespaces } from '../db/embedded/starters.js';
import { environment, yaml } from '../config/config-samples.js';
import { until } from '../support/harness.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';

const STARTS_WITHIN_MS = 180_000;
const ENDS_WITHIN_MS = 60_000;
/** Longer than the service may hang. */
const HELD_STILL_MS = 33_000;
const HUNG = 70;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-watchdog-'));
  writeFileSync(join(folder, 'waybridge.yaml'), yaml());
  // What a database in the same thread does when it spins.
  writeFileSync(join(folder, 'hang.mjs'), `process.on('SIGUSR2', () => { for (;;); });`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Service {
  readonly child: ChildProcess;
  readonly gone: Promise<readonly unknown[]>;
  output(): string;
  answers(): Promise<boolean>;
}

/** As it is started in earnest. @param before what stands before the command, as for a container */
async function startServe(name: string, before: readonly string[] = []): Promise<Service> {
  const port = await freePort();
  const env = {
    ...environment,
    PATH: process.env['PATH'] ?? '',
    IMS_BASE_URL: 'http://127.0.0.1:9/2',
    IMS_AUTH_URL: 'http://127.0.0.1:9',
    HOST: '127.0.0.1',
    PORT: String(port),
    CONFIG_FILE: join(folder, 'waybridge.yaml'),
    DATA_DIR: join(folder, name),
  };
  await placeEmptyDatabase(env.DATA_DIR);
  const line = [...before, process.execPath, '--import', join(folder, 'hang.mjs'), 'bin/waybridge.js', 'serve'];
  const child = spawn(line[0] ?? '', line.slice(1), { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const answers = async () =>
    (await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null))?.ok ===
    true;
  await until('it listens', () => output.includes('"listening"'), STARTS_WITHIN_MS);
  return { child, gone: once(child, 'exit'), output: () => output, answers };
}

// Each waits for half a minute, so all wait at once.
it.concurrent('a service whose main thread hangs is ended with a line that says why, and an exit code', async () => {
  const { child, gone, output, answers } = await startServe('hangs');
  await until('it answers', answers);
  child.kill('SIGUSR2');
  await until('it has ended', () => child.exitCode !== null || child.signalCode !== null, ENDS_WITHIN_MS);
  expect(await gone).toEqual([HUNG, null]);
  expect(output()).toMatch(/"message":"the process hung","seconds":30,"exitCode":70/);
});

const isAllowed = mayHaveNamespaces();
if (!isAllowed)
  process.stderr.write('the first process of a container: skipped, this machine does not allow namespaces\n');
const inContainer = isAllowed ? it.concurrent : it.skip;
inContainer(
  'a service whose main thread hangs is ended too where it is the first process of a container, which no signal of its own ends',
  async () => {
    const { child, output } = await startServe('first', ['unshare', '-p', '-f', '-m', '--mount-proc', '--kill-child']);
    const inner = await firstChild(child.pid ?? 0);
    process.kill(inner, 'SIGUSR2');
    await until('it has ended', () => child.exitCode !== null || child.signalCode !== null, ENDS_WITHIN_MS);
    expect(child.exitCode).toBe(HUNG);
    expect(output()).toContain('the process hung');
  },
);

it.concurrent('a service that was held still from outside goes on, however long that was', async () => {
  const { child, gone, output, answers } = await startServe('held');
  child.kill('SIGSTOP');
  await new Promise((done) => setTimeout(done, HELD_STILL_MS));
  child.kill('SIGCONT');
  await new Promise((done) => setTimeout(done, 3_000));
  await until('it answers', answers);
  child.kill('SIGTERM');
  expect(await gone).toEqual([0, null]);
  expect(output()).not.toContain('the process hung');
});

/** As the outside counts. */
async function firstChild(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')[0]);
}
