import { afterAll, beforeAll, expect, it } from '@jest/globals';
import axios from 'axios';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { carriers } from '../../carriers/index.js';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import { eventTarget, sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { describeOnServer } from '../db/postgres-server.js';
import { type RunningService, startService } from '../restart/running-service.js';
import { until } from '../support/until.js';

/** 2.5 bookings a second: seven requests each, of the 16 a second that an instance of three has. */
const BOOKING_EVERY_MS = 400;
const BOOKINGS_BEFORE = 12;
/**
 * How much longer the slowest booking of a roll-out may take than the slowest one before it; on a busy machine as long as a
 * process needs to start, on the same processors. A new instance that got events before it may send would take more.
 */
const WAITS_LONGER_AT_MOST_MS = 2_500;
const STOPS_WITHIN_MS = 20_000;
const { oneParcel } = sampleShipments;
const AS_IT_COMES = {
  httpAgent: new Agent({ keepAlive: false }),
  responseType: 'text',
  validateStatus: () => true,
} as const;

/** As an ingress: it sends each request to the next instance in its list, on a connection of its own. */
interface Balancer {
  readonly url: string;
  instances: readonly RunningService[];
  /** Requests that an instance has and has not answered. */
  atWork(instance: RunningService): number;
  /** What an instance did not take. */
  readonly failures: readonly string[];
  close(): void;
}

async function startBalancer(): Promise<Balancer> {
  const failures: string[] = [];
  let turn = 0;
  const atWork = new Map<RunningService | undefined, number>();
  const count = (instance: RunningService | undefined, by: 1 | -1) =>
    atWork.set(instance, (atWork.get(instance) ?? 0) + by);
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const [instance] = balancer.instances.slice(turn++ % balancer.instances.length);
    const { authorization = '' } = request.headers;
    const headers = { authorization, 'content-type': 'application/json', connection: 'close' };
    count(instance, 1);
    try {
      const url = `${instance?.url}${request.url}`;
      const { status, data } = await axios.post<string>(url, body, { headers, ...AS_IT_COMES });
      if (status >= 300) failures.push(String(status));
      response.writeHead(status, { 'content-type': 'application/json' }).end(data);
    } finally {
      count(instance, -1);
    }
  };
  const server: Server = createServer((request, response) => {
    pass(request, response).catch((error: Error) => {
      failures.push(error.message);
      response.writeHead(502).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const balancer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    instances: [] as readonly RunningService[],
    atWork: (instance: RunningService) => atWork.get(instance) ?? 0,
    failures,
    close: () => void server.close().closeAllConnections(),
  };
  return balancer;
}

describeOnServer('replacing both instances one after the other under load', (databaseUrl) => {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-roll-out-'));
  const configFile = join(folder, 'waybridge.yaml');
  let sandbox: Sandbox;
  let balancer: Balancer;
  const started: RunningService[] = [];
  let longestStartMs = 0;

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, carriers });
    writeFileSync(configFile, sandboxConfig(sandbox));
    balancer = await startBalancer();
    sandbox.control.setEventTargets([eventTarget(balancer.url)]);
  });

  afterAll(async () => {
    await Promise.all(started.map((each) => each.end('SIGKILL')));
    balancer.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** @returns an instance whose `/readyz` says that it can work */
  async function begin(): Promise<RunningService> {
    const place = { port: await freePort(), configFile, dataDir: folder };
    const from = Date.now();
    const instance = await startService({ ...sandboxEnvironment(sandbox, place), DATABASE_URL: databaseUrl() });
    started.push(instance);
    longestStartMs = Math.max(longestStartMs, Date.now() - from);
    await until('it is ready', async () => (await fetch(`${instance.url}/readyz`)).ok);
    return instance;
  }

  /** As an orchestrator does: the new one works, no more requests go to the old one, it answers those that it has, it stops. */
  async function replace(old: RunningService): Promise<void> {
    const fresh = await begin();
    balancer.instances = [...balancer.instances.filter((each) => each !== old), fresh];
    await until('the old one has answered', () => balancer.atWork(old) === 0);
    const from = Date.now();
    expect(await old.end('SIGTERM')).toBe(0);
    expect(Date.now() - from).toBeLessThan(STOPS_WITHIN_MS);
  }

  const bookedAt = new Map<number, number>();
  function bookOne(): number {
    const { shipment, containers } = oneParcel;
    const carrierName = bookedAt.size % 2 === 0 ? 'GLS' : 'Pretend';
    const { id } = sandbox.control.createShipment({ area: 1, shipment: { ...shipment, carrierName }, containers });
    const at = Date.now();
    const { id: documentId } = sandbox.control.createTransportBooking(id);
    bookedAt.set(documentId, at);
    return documentId;
  }

  /** Milliseconds from the packer's wish until the document is done, for each document that is. */
  function times(): ReadonlyMap<number, number> {
    const done = sandbox.control.requests({ target: 'ims' }).flatMap(({ method, path, body, at, status }) => {
      const documentId = Number(/^\/documents\/(\d+)$/.exec(path)?.[1]);
      const isLast = method === 'PATCH' && status === 200 && Object(body).workStatus === 'DONE';
      return isLast ? [[documentId, at - (bookedAt.get(documentId) ?? at)] as const] : [];
    });
    return new Map(done);
  }
  const slowest = (documents: readonly number[]) => Math.max(...documents.map((id) => times().get(id) ?? Infinity));
  const allDone = (documents: readonly number[]) => documents.every((id) => times().has(id));

  it('loses nothing, and no booking waits much longer than without it', async () => {
    balancer.instances = [await begin(), await begin()];
    const before: number[] = [];
    for (let n = 0; n < BOOKINGS_BEFORE; n += 1) {
      before.push(bookOne());
      await pause(BOOKING_EVERY_MS);
    }
    await until('the bookings before have ended', () => allDone(before));

    const during: number[] = [];
    let rolling = true;
    const load = (async () => {
      while (rolling) {
        during.push(bookOne());
        await pause(BOOKING_EVERY_MS);
      }
    })();
    for (const old of balancer.instances) await replace(old);
    rolling = false;
    await load;
    await until('the bookings of the roll-out have ended', () => allDone(during));

    expect(balancer.failures).toEqual([]);
    const waitsLongerAtMostMs = Math.max(WAITS_LONGER_AT_MOST_MS, longestStartMs);
    expect(slowest(during)).toBeLessThan(slowest(before) + waitsLongerAtMostMs);
    const booked = ['gls-dk', 'pretend'].flatMap((carrier) => sandbox.control.bookings(carrier) ?? []);
    expect(booked).toHaveLength(before.length + during.length);
    const refused = sandbox.control.requests({ target: 'ims' }).filter(({ status }) => status === 429);
    expect(refused).toEqual([]);
  });
});
