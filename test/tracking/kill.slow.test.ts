import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { carriers } from '../../carriers/index.js';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import { sandboxConfig, sandboxEnvironment, sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { type RunningService, startService } from '../restart/running-service.js';
import { until } from '../support/harness.js';
import { SECRET, signed } from './callers.js';

const CALLS = 300;
const AT_ONCE = 20;
/** How many calls are answered when the power goes. */
const MOMENTS = [1, 60, 180];

const folder = mkdtempSync(join(tmpdir(), 'waybridge-callback-kill-'));
let sandbox: Sandbox;
let service: RunningService;
let start: () => Promise<RunningService>;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, carriers });
  const configFile = join(folder, 'waybridge.yaml');
  const config = parse(sandboxConfig(sandbox)) as { readonly accounts: { readonly pretend: object } };
  const pretend = { ...config.accounts.pretend, callbacks: { secret: SECRET } };
  writeFileSync(configFile, stringify({ ...config, accounts: { ...config.accounts, pretend } }));
  const place = { port: await freePort(), configFile, dataDir: join(folder, 'data') };
  start = () => startService(sandboxEnvironment(sandbox, place));
  service = await start();
});

afterAll(async () => {
  await service.end('SIGTERM');
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @returns whether it was answered as a success */
async function call(number: string, code: string): Promise<boolean> {
  const { body, headers } = signed({
    trackingNumber: number,
    status: 'in-transit',
    at: new Date().toISOString(),
    code,
  });
  const answer = await fetch(`${service.url}/callbacks/pretend`, { method: 'POST', body, headers }).catch(() => null);
  return answer?.status === 200;
}

async function keptCodes(number: string): Promise<ReadonlySet<string>> {
  const headers = { authorization: `Bearer ${sandboxSecrets.OPERATOR_TOKEN}` };
  const answer = await fetch(`${service.url}/api/v1/parcels/${number}`, { headers });
  const body = (await answer.json()) as { readonly events?: readonly { readonly code: string }[] };
  return new Set(body.events?.map((event) => event.code));
}

describe('a service that is killed while callbacks come in', () => {
  it.each(MOMENTS)(
    'keeps and applies every call that it answered, when it is killed after %d of them',
    async (moment) => {
      const number = `killed-${moment}`;
      const answered: string[] = [];
      const calls = Array.from({ length: CALLS }, (_none, n) => `code-${n}`);
      let dead = false;
      const caller = async () => {
        for (let code = calls.shift(); code !== undefined && !dead; code = calls.shift())
          if (await call(number, code)) answered.push(code);
      };
      const calling = Promise.all(Array.from({ length: AT_ONCE }, caller));
      await until('some are answered', () => answered.length >= moment);
      await service.end('SIGKILL');
      dead = true;
      await calling;
      service = await start();
      await until('what was answered is applied', async () => {
        const kept = await keptCodes(number);
        return answered.every((code) => kept.has(code));
      });
      expect(answered.length).toBeGreaterThanOrEqual(moment);
    },
  );
});
