// Whether a carrier that hangs slows down another one's bookings: `node bench/isolation.js [--waiting 2000] [--rounds 3]`.
// Times are from the creation of a transport booking to DONE. The sandboxes and the load are in this process, each service in
// one of its own, on one machine. One service's other carrier answers, the other's hangs; both get the same bookings at the
// same time, so that whatever else the machine does hits both alike.
/* global fetch */
import process from 'node:process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from '../bin/build.js';

const SECONDS = 60;
/** Bookings a second for each carrier and service; far below what the machine can do, so that the machine is not what is measured. */
const PER_SECOND = 1;
const HANGS_FOR_MS = 30_000;
const GOAL_PER_CENT = 10;
const PATIENCE_MS = 120_000;
const PROGRAM = fileURLToPath(new URL('../bin/waybridge.js', import.meta.url));
const ROUNDS = option('--rounds', 3);
const WAITING = option('--waiting', 0);

await buildIfStale();
const { startSandbox } = await import('../dist/src/sandbox/sandbox.js');
const { carriers } = await import('../dist/carriers/index.js');
const { eventTarget, sandboxConfig, sandboxEnvironment } = await import('../dist/src/cli/sandbox/sandbox-config.js');
const { freePort } = await import('../dist/src/cli/sandbox/child-service.js');
const { sampleShipments } = await import('../dist/src/sandbox/control/sample-shipments.js');

const times = { answering: [], hanging: [] };
for (let round = 1; round <= ROUNDS; round += 1) {
  const stages = await Promise.all(['answering', 'hanging'].map(prepared));
  await Promise.all(
    stages.map(async ({ other, sandbox, end }) => {
      const measured = await load(sandbox).finally(end);
      times[other].push(...measured);
      process.stdout.write(`round ${round}, the other carrier is ${other}: ${line(measured)}\n`);
    }),
  );
}
const slower = (percentile(times.hanging, 99) / percentile(times.answering, 99) - 1) * 100;
process.stdout.write(`answering: ${line(times.answering)}\nhanging:   ${line(times.hanging)}\n`);
process.stdout.write(`p99 ${slower.toFixed(1)} % (goal: at most +${GOAL_PER_CENT} %)\n`);
process.exitCode = slower <= GOAL_PER_CENT ? 0 : 1;

function option(name, otherwise) {
  const place = process.argv.indexOf(name);
  return place === -1 ? otherwise : Number(process.argv[place + 1]);
}

async function prepared(other) {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const sandbox = await startSandbox({ port: 0, carriers });
  const configFile = join(folder, 'waybridge.yaml');
  writeFileSync(configFile, sandboxConfig(sandbox));
  const place = { port: await freePort(), configFile, dataDir: join(folder, 'data') };
  const service = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { ...sandboxEnvironment(sandbox, place), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(service, 'exit');
  const end = async () => {
    service.kill('SIGKILL');
    await gone;
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const url = `http://127.0.0.1:${place.port}`;
    await ready(url, service);
    sandbox.control.setEventTargets([eventTarget(url)]);
    if (other === 'hanging')
      sandbox.control.addFault({ target: 'gls-dk', kind: 'delay', ms: HANGS_FOR_MS, times: 'always' });
    await waitingBefore(sandbox);
    return { other, sandbox, end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function ready(url, service) {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (Date.now() > giveUpAt || service.exitCode !== null) throw new Error('the service does not start');
    await pause(100);
  }
}

function book(sandbox, carrierName, area) {
  const { shipment, containers } = sampleShipments.oneParcel;
  const { id } = sandbox.control.createShipment({ area, shipment: { ...shipment, carrierName }, containers });
  return sandbox.control.createTransportBooking(id).id;
}

/** Bookings of the other account, of another area, that are there before the measurement begins. */
async function waitingBefore(sandbox) {
  const others = Array.from({ length: WAITING }, () => book(sandbox, 'GLS', 2));
  const giveUpAt = Date.now() + PATIENCE_MS * 3;
  const begun = () => {
    const status = new Map(sandbox.control.state().documents.map((row) => [row.id, row.workStatus]));
    return others.every((id) => status.get(id) !== 'PENDING');
  };
  while (!begun()) {
    if (Date.now() > giveUpAt) throw new Error('the waiting bookings were not taken up');
    await pause(1_000);
  }
}

async function load(sandbox) {
  const { control } = sandbox;
  book(sandbox, 'Pretend', 1);
  await pause(3_000);
  const from = control.requests().at(-1)?.n ?? 0;
  const booked = new Map();
  for (let n = 0; n < SECONDS * PER_SECOND; n += 1) {
    book(sandbox, 'GLS', 2);
    await pause(500 / PER_SECOND);
    booked.set(String(book(sandbox, 'Pretend', 1)), Date.now());
    await pause(500 / PER_SECOND);
  }
  const giveUpAt = Date.now() + PATIENCE_MS;
  const open = () => control.state().documents.filter((row) => booked.has(String(row.id)) && row.workStatus !== 'DONE');
  while (open().length > 0) {
    if (Date.now() > giveUpAt) throw new Error(`${open().length} bookings were not done`);
    await pause(200);
  }
  const doneAt = new Map();
  for (const request of control.requests({ target: 'ims' })) {
    const [, id] = /\/documents\/(\d+)$/.exec(request.path) ?? [];
    if (request.n > from && request.method === 'PATCH' && booked.has(id))
      doneAt.set(id, request.at + request.durationMs);
  }
  return [...booked].map(([id, at]) => doneAt.get(id) - at);
}

function percentile(values, per) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * per) / 100) - 1)];
}

function line(values) {
  return `n ${values.length}  p50 ${percentile(values, 50)} ms  p99 ${percentile(values, 99)} ms`;
}
