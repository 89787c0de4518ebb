import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { carriers } from '../../carriers/index.js';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import {
  eventTarget,
  sandboxConfig,
  sandboxEnvironment,
  sandboxSecrets,
} from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { type RunningService, startService } from '../restart/running-service.js';
import { until } from '../support/harness.js';
import { SECRET, signed } from '../tracking/callers.js';
import { type Receiver, startReceiver } from './receiver.js';

const EVENTS = 40;

const folder = mkdtempSync(join(tmpdir(), 'waybridge-onward-kill-'));
let sandbox: Sandbox;
let receiver: Receiver;
let service: RunningService;
let start: () => Promise<RunningService>;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, carriers });
  receiver = await startReceiver();
  const configFile = join(folder, 'waybridge.yaml');
  const config = parse(sandboxConfig(sandbox)) as { readonly accounts: { readonly pretend: object } };
  const pretend = { ...config.accounts.pretend, callbacks: { secret: SECRET } };
  writeFileSync(configFile, stringify({ ...config, accounts: { ...config.accounts, pretend } }));
  const place = { port: await freePort(), configFile, dataDir: join(folder, 'data') };
  start = () => startService(sandboxEnvironment(sandbox, place));
  service = await start();
  sandbox.control.setEventTargets([eventTarget(service.url)]);
});

afterAll(async () => {
  await service.end('SIGTERM');
  await receiver.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const operator = { authorization: `Bearer ${sandboxSecrets.OPERATOR_TOKEN}` };

async function bookedNumber(): Promise<string> {
  const shipment = { ...sampleShipments.oneParcel.shipment, carrierName: 'Pretend' };
  const { id } = sandbox.control.createShipment({
    area: 1,
    shipment,
    containers: sampleShipments.oneParcel.containers,
  });
  sandbox.control.createTransportBooking(id);
  const number = () =>
    sandbox.control.state().shippingContainers.find((row) => row['shipmentId'] === id)?.['trackingNumber'];
  await until('it is booked', () => typeof number() === 'string');
  return String(number());
}

describe('a service that is killed while it tells a subscriber', () => {
  it('tells everything, in order, and the same event under the same id', async () => {
    const number = await bookedNumber();
    const body = JSON.stringify({ url: receiver.url });
    await fetch(`${service.url}/api/v1/subscribers`, { method: 'POST', headers: operator, body });
    const events = Array.from({ length: EVENTS }, (_none, n) => ({
      ...{ trackingNumber: number, status: 'in-transit', code: `code-${n}` },
      at: new Date(Date.UTC(2026, 2, 4, 12, n)).toISOString(),
    }));
    const call = signed({ events });
    await fetch(`${service.url}/callbacks/pretend`, { method: 'POST', ...call });
    await until('some are told', () => receiver.received.length >= 5);
    await service.end('SIGKILL');
    service = await start();
    const codes = () => receiver.received.map(({ json }) => json.data.event.code as string);
    await until('all are told', () => new Set(codes()).size === EVENTS);
    const first = [...new Set(codes())];
    expect(first).toEqual(events.map(({ code }) => code));
    const ids = new Map(receiver.received.map(({ id, json }) => [id, json.data.event.code]));
    expect(ids.size).toBe(EVENTS);
    expect(receiver.received.length).toBeLessThanOrEqual(EVENTS + 1);
  });
});
