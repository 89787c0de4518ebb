import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carriers } from '../../carriers/index.js';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import { eventTarget, sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { openDatabase } from '../../src/db/open-database.js';
import { silentLog } from '../../src/log.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { until } from '../support/harness.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';

/** As the shell says of a program that SIGPIPE ended. */
const ENDED_BY_A_BROKEN_PIPE = 141;
const { oneParcel } = sampleShipments;

let folder: string;
let dataDir: string;
let sandbox: Sandbox;
let endService: () => unknown;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-serve-reader-gone-'));
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  endService();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @returns whether the document is done */
function book(carrierName: string): () => boolean {
  const { containers } = oneParcel;
  const shipment = { ...oneParcel.shipment, carrierName };
  const created = sandbox.control.createShipment({ area: 1, shipment, containers });
  const { id } = sandbox.control.createTransportBooking(created.id);
  return () => sandbox.control.state().documents.find((row) => row.id === id)?.workStatus === 'DONE';
}

/** `serve`, when it can work. Its log is read until `stopReading`. */
async function serve() {
  const configFile = join(folder, 'waybridge.yaml');
  writeFileSync(configFile, sandboxConfig(sandbox));
  await placeEmptyDatabase(dataDir);
  const port = await freePort();
  const env = sandboxEnvironment(sandbox, { port, configFile, dataDir });
  const child = spawn(process.execPath, ['--liftoff-only', 'bin/waybridge.js', 'serve'], {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endService = () => child.kill('SIGKILL');
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  child.stdout.resume();
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code), said }));
  const url = `http://127.0.0.1:${port}`;
  await until('it serves', async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok === true);
  return { url, stopReading: () => child.stdout.destroy(), stop: () => child.kill('SIGTERM'), ended };
}

/** The service with a booking that GLS answers after some seconds; the program that read its log has ended. */
async function withBookingUnderWay() {
  sandbox = await startSandbox({ port: 0, carriers });
  const service = await serve();
  sandbox.control.setEventTargets([eventTarget(service.url)]);
  sandbox.control.addFault({ target: 'gls-dk', kind: 'delay', ms: 4_000, times: 'always' });
  const isDone = book('GLS');
  await until('the carrier is asked', () =>
    sandbox.control.requests({ target: 'gls-dk' }).some(({ method }) => method === 'POST'),
  );
  service.stopReading();
  return { service, isDone };
}

it('stops as at SIGTERM when the program that reads its log has ended: a booking under way is finished', async () => {
  const { service, isDone } = await withBookingUnderWay();
  // The log line about it is the first that nobody reads.
  book('DAO');
  const { code, said } = await service.ended;

  expect({ code, isDone: isDone() }).toEqual({ code: ENDED_BY_A_BROKEN_PIPE, isDone: true });
  expect(said).toMatch(/^waybridge stops: the program that read its log .* has ended.*\n$/);
  const database = await openDatabase({ DATA_DIR: dataDir }, silentLog);
  const leased = await database.query('select id from consignment where lease_owner is not null');
  await database.close();
  expect(leased).toEqual([]);
});

it('finishes a booking under way when the program that reads its log is stopped with it, as by Ctrl+C', async () => {
  const { service, isDone } = await withBookingUnderWay();
  service.stop();
  const { code, said } = await service.ended;
  expect({ code, said, isDone: isDone() }).toEqual({ code: 0, said: '', isDone: true });
});
