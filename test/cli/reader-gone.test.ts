import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carriers } from '../../carriers/index.js';
import { sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';

/** As the shell says of a program that SIGPIPE ended. */
const ENDED_BY_A_BROKEN_PIPE = 141;
const folder = mkdtempSync(join(tmpdir(), 'waybridge-reader-gone-'));
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, carriers, limits: { requestsPerSecond: null } });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

it.each(['doctor', 'carriers', 'carriers --markdown'])('%s | head ends quietly', async (typed) => {
  const configFile = join(folder, 'waybridge.yaml');
  writeFileSync(configFile, sandboxConfig(sandbox));
  const place = { port: 0, configFile, dataDir: join(folder, 'data') };
  const child = spawn(process.execPath, ['bin/waybridge.js', ...typed.split(' ')], {
    env: { ...process.env, ...sandboxEnvironment(sandbox, place) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = await once(child, 'close');
  expect({ code, said }).toEqual({ code: ENDED_BY_A_BROKEN_PIPE, said: '' });
});
