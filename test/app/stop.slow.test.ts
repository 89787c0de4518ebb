import { afterEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carriers } from '../../carriers/index.js';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import { eventTarget, sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { type RunningService, startService } from '../restart/running-service.js';
import { until } from '../support/harness.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';

const STOPS_WITHIN_MS = 20_000;
/** More than hang at a carrier of which nothing is known yet: the others are in line for it. */
const BOOKINGS = 24;
const AT_ONCE = 2;
const { oneParcel } = sampleShipments;

const folder = mkdtempSync(join(tmpdir(), 'waybridge-stop-'));
let sandbox: Sandbox;
let service: RunningService;

afterEach(async () => {
  await service.end('SIGKILL');
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

function bookMany(carrierName: string): readonly number[] {
  return Array.from({ length: BOOKINGS }, () => {
    const { containers } = oneParcel;
    const shipment = sandbox.control.createShipment({
      area: 1,
      shipment: { ...oneParcel.shipment, carrierName },
      containers,
    });
    return sandbox.control.createTransportBooking(shipment.id).id;
  });
}

function statusOf(documentId: number): string | null {
  return sandbox.control.state().documents.find((row) => row.id === documentId)?.workStatus ?? null;
}

function asked(method: string): number {
  return sandbox.control.requests({ target: 'gls-dk' }).filter((request) => request.method === method).length;
}

it('is stopped within 20 s by SIGTERM while a carrier hangs, and the next start ends everything, booked once', async () => {
  sandbox = await startSandbox({ port: 0, carriers });
  const configFile = join(folder, 'waybridge.yaml');
  writeFileSync(configFile, sandboxConfig(sandbox));
  const dataDir = join(folder, 'data');
  await placeEmptyDatabase(dataDir);
  const start = async () => startService(sandboxEnvironment(sandbox, { port, configFile, dataDir }));
  const port = await freePort();
  service = await start();
  sandbox.control.setEventTargets([eventTarget(service.url)]);
  sandbox.control.addFault({ target: 'gls-dk', kind: 'delay', ms: 60_000, times: 'always' });
  const documents = bookMany('GLS');
  await until('the carrier hangs', () => asked('POST') === AT_ONCE);

  const from = Date.now();
  expect(await service.end('SIGTERM')).toBe(0);
  expect(Date.now() - from).toBeLessThan(STOPS_WITHIN_MS);
  expect(asked('POST')).toBe(AT_ONCE);

  sandbox.control.clearFaults();
  service = await start();
  const inDoubt = () => documents.filter((id) => statusOf(id) === 'FAILED');
  const done = () => documents.filter((id) => statusOf(id) === 'DONE');
  await until('all have ended', () => inDoubt().length + done().length === BOOKINGS);
  // GLS cannot be asked: what was sent is for a person, what was in line is booked.
  expect(done()).toHaveLength(BOOKINGS - AT_ONCE);
  expect(sandbox.control.bookings('gls-dk')).toHaveLength(BOOKINGS);
  const told = sandbox.control.state().messages.map((message) => String(message['messageText']));
  expect(told.filter((text) => text.includes('decides what happens next'))).toHaveLength(AT_ONCE);
});
