import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { carriers } from '../../carriers/index.js';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import { eventTarget, sandboxConfig, sandboxEnvironment, sandboxSecret } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { serverDatabases } from '../crash/databases.js';
import { describeOnServer } from '../db/postgres-server.js';
import { type RunningService, startService } from '../restart/running-service.js';
import { signed } from '../tracking/callers.js';
import { until } from '../support/harness.js';

/** Three times as long as an answered heartbeat is good for. */
const TRAFFIC_MS = 15_000;
const SENDERS = 24;
const EVENTS_EACH = 200;
const BOOKINGS = 30;

interface LogLine {
  readonly message: string;
  readonly requestsPerSecond?: number;
}

describeOnServer('two instances that take callbacks all the time', (url) => {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-callbacks-'));
  let sandbox: Sandbox;
  let instances: readonly RunningService[] = [];

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, carriers });
    const configFile = join(folder, 'waybridge.yaml');
    writeFileSync(configFile, sandboxConfig(sandbox));
    const { environment } = await (await serverDatabases(url())).fresh();
    const start = async () => {
      const place = { port: await freePort(), configFile, dataDir: folder };
      return startService({ ...sandboxEnvironment(sandbox, place), ...environment });
    };
    instances = [await start(), await start()];
    sandbox.control.setEventTargets(instances.map((instance) => eventTarget(instance.url)));
    await until('each has its half', () => instances.every((each) => sharesOf(each).at(-1) === 25));
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.end('SIGTERM')));
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('go on to book: a heartbeat waits for no callback', async () => {
    const before = instances.map((instance) => sharesOf(instance).length);
    const end = Date.now() + TRAFFIC_MS;
    const calling = Promise.all(Array.from({ length: SENDERS }, (_none, n) => callUntil(end, n)));
    const documents: number[] = [];
    for (let n = 0; n < BOOKINGS; n += 1) {
      documents.push(book());
      await new Promise((done) => setTimeout(done, TRAFFIC_MS / BOOKINGS));
    }
    const answers = (await calling).flat();
    await until('all are booked', () => documents.every(isDone));
    expect(answers.length).toBeGreaterThan(SENDERS * 10);
    expect(answers.filter((status) => status !== 200)).toEqual([]);
    // A line is written whenever the share changes: none came.
    expect(instances.map((instance) => sharesOf(instance).length)).toEqual(before);
    // On a busy machine one may be late, which the next makes good; behind callbacks all of them would be.
    for (const instance of instances) expect(lateHeartbeats(instance).length).toBeLessThanOrEqual(1);
  });

  async function callUntil(end: number, sender: number): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (let n = 0; Date.now() < end; n += 1) {
      const instance = instances[n % instances.length];
      const at = new Date().toISOString();
      const events = Array.from({ length: EVENTS_EACH }, (_event, place) => {
        return { trackingNumber: `sender-${sender}-${place}`, status: 'in-transit', at, code: `code-${n}` };
      });
      const { body, headers } = signed({ events }, { secret: sandboxSecret('PRETEND_CALLBACK_SECRET') });
      const answer = await fetch(`${instance?.url}/callbacks/pretend`, { method: 'POST', body, headers });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    return statuses;
  }

  function book(): number {
    const { shipment, containers } = sampleShipments.oneParcel;
    const { id } = sandbox.control.createShipment({ area: 1, shipment, containers });
    return sandbox.control.createTransportBooking(id).id;
  }

  function isDone(documentId: number): boolean {
    const document = sandbox.control.state().documents.find(({ id }) => id === documentId);
    return document?.workStatus === 'DONE';
  }
});

function linesOf(instance: RunningService): readonly LogLine[] {
  const lines = instance.output().split('\n').slice(0, -1);
  return lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
}

function lateHeartbeats(instance: RunningService): readonly LogLine[] {
  return linesOf(instance).filter(({ message }) => message === 'share not renewed');
}

function sharesOf(instance: RunningService): readonly (number | undefined)[] {
  const told = linesOf(instance).filter(({ message }) => message === 'share of the requests to the IMS');
  return told.map(({ requestsPerSecond }) => requestsPerSecond);
}
