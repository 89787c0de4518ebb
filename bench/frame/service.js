// The service in a process of its own, against a sandbox.
/* global fetch */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { freePort, start, until } from './processes.js';

/** For a profile file by file, so that it tells whose time it is. */
const PROGRAM = fileURLToPath(
  new URL(process.env.BENCH_PROFILE ? '../../dist/src/cli/main.js' : '../../bin/waybridge.js', import.meta.url),
);
/** Those that a benchmark books at; their accounts are `pretend` and `gls`. */
const CARRIERS = ['pretend', 'gls-dk'];
const READY_WITHIN_MS = 60_000;
const LOOKS_EVERY_MS = 20;

/**
 * @param sandbox of `startSandboxProcess`; all of its areas are configured, with the accounts `pretend` and `gls`
 * @param options `databaseUrl`: a server's, the embedded database without it; `dataDir`: kept, a new one without it;
 *   `environment`: more of it
 * @returns `url`, `pid`, `eventHeaders`, `operatorHeaders`, `readyAfterMs` since the process was begun, and `end`
 */
export async function startService(sandbox, { databaseUrl, dataDir, environment = {} } = {}) {
  const { sandboxEnvironment, eventTarget, sandboxSecrets } =
    await import('../../dist/src/cli/sandbox/sandbox-config.js');
  const { carriers } = await import('../../dist/carriers/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const configFile = join(folder, 'waybridge.yaml');
  writeFileSync(configFile, configOf(sandbox, carriers));
  const place = { port: await freePort(), configFile, dataDir: dataDir ?? join(folder, 'data') };
  const url = `http://127.0.0.1:${place.port}`;
  const beganAt = performance.now();
  const { child, end } = start(process.execPath, [...profiling(), PROGRAM, 'serve'], {
    env: {
      ...sandboxEnvironment(sandbox, place),
      ...apiKeys(sandbox.areas),
      LOG_LEVEL: 'warn',
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      ...environment,
    },
  });
  const stop = async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until('the service is ready', () => isReady(url, child), {
      withinMs: READY_WITHIN_MS,
      everyMs: LOOKS_EVERY_MS,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...{ url, pid: child.pid, readyAfterMs: performance.now() - beganAt, end: stop },
    eventHeaders: { ...eventTarget(url).headers, 'content-type': 'application/json' },
    operatorHeaders: { authorization: `Bearer ${sandboxSecrets.OPERATOR_TOKEN}` },
  };
}

async function isReady(url, child) {
  if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
  return (await fetch(`${url}/readyz`).catch(() => null))?.ok === true;
}

/** `BENCH_PROFILE=folder`: each service leaves a profile of its processor time there. */
function profiling() {
  const folder = process.env.BENCH_PROFILE;
  if (!folder) return [];
  mkdirSync(folder, { recursive: true });
  return ['--cpu-prof', '--cpu-prof-dir', folder];
}

function configOf(sandbox, carriers) {
  const ids = areaIds(sandbox.areas);
  const areas = ids.map((contextId) => ({ contextId, apiKey: `\${IMS_API_KEY_${contextId}}`, language: 'en' }));
  const accounts = carriers.flatMap(({ adapter }) =>
    CARRIERS.includes(adapter.id) ? [accountOf(sandbox, adapter)] : [],
  );
  return stringify({ areas, accounts: Object.fromEntries(accounts), printing: { mode: 'resource' } });
}

/** The account of the carrier's sample, whose parcels nobody follows: polling would take time beside the bookings. */
function accountOf(sandbox, { id, name, sample }) {
  const baseUrl = sandbox.carrierUrl(id);
  const config = { ...sample.config(baseUrl), tracking: undefined };
  return [sample.account, { carrier: id, imsCarrierName: name, baseUrl, config }];
}

function apiKeys(areas) {
  return Object.fromEntries(areaIds(areas).map((id) => [`IMS_API_KEY_${id}`, `area-${id}-key`]));
}

function areaIds(areas) {
  return Array.from({ length: areas }, (_none, place) => place + 1);
}
