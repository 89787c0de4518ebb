// How many callbacks of carriers the service stores, and how fast: `node bench/callbacks.js [--rate 1000] [--seconds 10]
// [--kill-after 5] [--database postgres://…]`. The service, the load and the stand-ins are three processes on one machine.
// The load is an open loop: a call leaves when its time has come, whatever became of those before, and its latency counts
// from that time. For the first seconds fewer are sent, and not timed: a program that has just started is slow at first.
// With --kill-after the service is killed (SIGKILL) and started again; calls that got no answer are not
// sent again, and what was answered must be there afterwards.
/* global setInterval, clearInterval, fetch */
import 'reflect-metadata';
import process from 'node:process';
import { spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { buildIfStale } from '../bin/build.js';

const RATE = option('--rate', 1000);
const SECONDS = option('--seconds', 10);
const KILL_AFTER = option('--kill-after', 0);
const GOAL_P99_MS = 100;
const WARM_UP_SECONDS = 3;
const WARM_UP_SHARE = 0.3;
/** Of each shipment; a parcel has about ten events in its life. */
const PARCELS = 99;
const SHIPMENTS = 10;
const SECRET = Buffer.alloc(32, 7).toString('base64');
const PROGRAM = fileURLToPath(new URL('../bin/waybridge.js', import.meta.url));
const SELF = fileURLToPath(import.meta.url);
const CALL_TIMEOUT_MS = 10_000;
const APPLIED_WITHIN_MS = 120_000;

if (process.argv.includes('--load')) await load(JSON.parse(process.argv.at(-1)));
else await measure();

function option(name, otherwise) {
  const place = process.argv.indexOf(name);
  if (place === -1) return otherwise;
  const given = process.argv[place + 1];
  return typeof otherwise === 'number' ? Number(given) : given;
}

async function measure() {
  await buildIfStale();
  const { startSandbox } = await import('../dist/src/sandbox/sandbox.js');
  const { carriers } = await import('../dist/carriers/index.js');
  const { eventTarget, sandboxConfig, sandboxEnvironment, sandboxSecrets } =
    await import('../dist/src/cli/sandbox/sandbox-config.js');
  const { freePort } = await import('../dist/src/cli/sandbox/child-service.js');
  const { sampleShipments } = await import('../dist/src/sandbox/control/sample-shipments.js');
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const sandbox = await startSandbox({ port: 0, carriers });
  const configFile = join(folder, 'waybridge.yaml');
  const config = parse(sandboxConfig(sandbox));
  config.accounts.pretend.callbacks = { secret: `whsec_${SECRET}` };
  writeFileSync(configFile, stringify(config));
  const place = { port: await freePort(), configFile, dataDir: join(folder, 'data') };
  const database = option('--database', '');
  const environment = {
    ...sandboxEnvironment(sandbox, place),
    ...(database ? { DATABASE_URL: database } : {}),
    LOG_LEVEL: 'error',
  };
  const url = `http://127.0.0.1:${place.port}`;
  const operator = { authorization: `Bearer ${sandboxSecrets.OPERATOR_TOKEN}` };
  let service = await started(environment, url);
  sandbox.control.setEventTargets([eventTarget(url)]);
  try {
    const numbers = await bookedNumbers(sandbox, sampleShipments.oneParcel);
    await until('the parcels are followed', async () => (await eventsOf(numbers.at(-1), url, operator)) !== null);
    const loading = loadProcess({ url, numbers });
    if (KILL_AFTER > 0) {
      await loading.begun;
      await pause(KILL_AFTER * 1000);
      const gone = once(service, 'exit');
      service.kill('SIGKILL');
      await gone;
      service = await started(environment, url);
    }
    const result = await loading.result;
    const kept = await keptCodes(numbers, new Set([...result.before, ...result.stored]), { url, operator });
    report(result, kept, database ? 'server' : 'embedded');
  } finally {
    service.kill('SIGKILL');
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function started(environment, url) {
  const service = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await until('the service listens', async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok === true);
  return service;
}

async function until(what, isSo) {
  const end = Date.now() + APPLIED_WITHIN_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await pause(50);
  }
}

async function bookedNumbers(sandbox, sample) {
  const containers = Array.from({ length: PARCELS }, () => sample.containers[0]);
  const ids = Array.from({ length: SHIPMENTS }, (_none, n) => {
    const shipment = { ...sample.shipment, carrierName: 'Pretend', shipmentNumber: `bench-${n}` };
    return sandbox.control.createShipment({ area: 1, shipment, containers }).id;
  });
  const documents = ids.map((id) => sandbox.control.createTransportBooking(id).id);
  await until('the shipments are booked', () => {
    const rows = sandbox.control.state().documents.filter((row) => documents.includes(row.id));
    return rows.every((row) => row.workStatus === 'DONE');
  });
  const rows = sandbox.control.state().shippingContainers.filter((row) => ids.includes(row.shipmentId));
  return rows.map((row) => String(row.trackingNumber));
}

/** Codes of a parcel's events, as the operator sees them; `null` before it is followed. */
async function eventsOf(number, url, headers) {
  const answer = await fetch(`${url}/api/v1/parcels/${number}`, { headers });
  const body = await answer.json();
  return answer.ok && body.parcels.length > 0 ? body.events.map((event) => event.code) : null;
}

/** Waits until everything that was answered is applied. */
async function keptCodes(numbers, stored, { url, operator }) {
  const began = performance.now();
  const kept = new Set();
  const end = Date.now() + APPLIED_WITHIN_MS;
  do {
    for (const number of numbers) for (const code of (await eventsOf(number, url, operator)) ?? []) kept.add(code);
  } while (![...stored].every((code) => kept.has(code)) && Date.now() < end);
  return { kept, afterMs: performance.now() - began };
}

function loadProcess(plan) {
  const child = spawn(process.execPath, [SELF, '--rate', RATE, '--seconds', SECONDS, '--load', JSON.stringify(plan)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const told = (kind) =>
    new Promise((done) => child.on('message', (message) => (message.kind === kind ? done(message) : undefined)));
  return { begun: told('begun'), result: told('result') };
}

async function load({ url, numbers }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
  const warmUp = Math.round(RATE * WARM_UP_SHARE);
  const calls = Array.from({ length: warmUp * WARM_UP_SECONDS + RATE * SECONDS }, (_none, n) => signedCall(n, numbers));
  const untimed = sendAll(calls.slice(0, warmUp * WARM_UP_SECONDS), warmUp, { url, agent });
  await pause(WARM_UP_SECONDS * 1000);
  process.send({ kind: 'begun' });
  const timed = await sendAll(calls.slice(warmUp * WARM_UP_SECONDS), RATE, { url, agent });
  const before = storedIn(await untimed);
  agent.destroy();
  process.send({ kind: 'result', ...summary(timed), before }, () => process.exit(0));
}

/** So many a second, whether they are answered or not. */
async function sendAll(calls, rate, place) {
  const pending = [];
  const began = performance.now();
  await new Promise((done) => {
    const timer = setInterval(() => {
      const due = Math.min(calls.length, Math.floor(((performance.now() - began) * rate) / 1000));
      for (let next = pending.length; next < due; next += 1)
        pending.push(send(calls[next], began + (next * 1000) / rate, place));
      if (pending.length < calls.length) return;
      clearInterval(timer);
      done();
    }, 5);
  });
  return Promise.all(pending);
}

function storedIn(results) {
  return results.filter(({ status }) => status === 200).map(({ code }) => code);
}

function signedCall(n, numbers) {
  const code = `c${n}`;
  const at = new Date(Date.now() - n).toISOString();
  const event = { trackingNumber: numbers[n % numbers.length], status: 'in-transit', at, code, id: `e${n}` };
  const body = Buffer.from(JSON.stringify({ events: [{ ...event, text: 'Sorted at the terminal', place: 'Taulov' }] }));
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(SECRET, 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  return { code, body, headers };
}

/** @returns its code with the status of the answer, 0 without one, and the time since it was due */
function send({ code, body, headers }, dueAt, { url, agent }) {
  return new Promise((done) => {
    const end = (status) => done({ code, status, ms: performance.now() - dueAt });
    const options = { method: 'POST', agent, headers, timeout: CALL_TIMEOUT_MS };
    const request = http.request(`${url}/callbacks/pretend`, options, (response) => {
      response.resume();
      response.once('end', () => end(response.statusCode));
      response.once('error', () => end(0));
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => end(0));
    request.end(body);
  });
}

function summary(results) {
  const answered = results.filter(({ status }) => status === 200);
  const times = answered.map(({ ms }) => ms).sort((a, b) => a - b);
  const percentile = (p) => times[Math.min(times.length - 1, Math.floor((times.length * p) / 100))];
  const statuses = {};
  for (const { status } of results) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    stored: storedIn(results),
    sent: results.length,
    statuses,
    p50: percentile(50),
    p99: percentile(99),
    max: times.at(-1),
  };
}

function report({ before, stored, sent, statuses, p50, p99, max }, { kept, afterMs }, database) {
  const lost = [...before, ...stored].filter((code) => !kept.has(code)).length;
  const ms = (value) => `${value.toFixed(1)} ms`;
  const load = loadavg()[0].toFixed(1);
  process.stdout.write(`${cpus().length} cores, load ${load}, ${database} database, ${RATE}/s for ${SECONDS} s\n`);
  process.stdout.write(`sent ${sent}, answers ${JSON.stringify(statuses)} (0: none)\n`);
  process.stdout.write(`p50 ${ms(p50)}, p99 ${ms(p99)}, longest ${ms(max)} (goal: p99 under ${GOAL_P99_MS} ms)\n`);
  process.stdout.write(
    `answered and lost: ${lost}; all applied ${(afterMs / 1000).toFixed(1)} s after the last call\n`,
  );
  const all = KILL_AFTER > 0 || stored.length === sent;
  process.exitCode = lost === 0 && all && (KILL_AFTER > 0 || p99 < GOAL_P99_MS) ? 0 : 1;
}
