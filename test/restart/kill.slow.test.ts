import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carriers } from '../../carriers/index.js';
import { eventTarget, sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';
import { type RunningService, startService } from './running-service.js';

/** In the worst case a carrier is asked again after the minute in which it may still be at work. */
const SETTLED_WITHIN_MS = 180_000;

/** The moments after the first event at which the power goes, in milliseconds. */
const MOMENTS = [40, 90, 150, 220, 310, 420, 560, 750];

const { oneParcel, threeParcels } = sampleShipments;
const KINDS = [
  { carrierName: 'GLS', sample: oneParcel },
  { carrierName: 'DAO', sample: threeParcels },
  { carrierName: 'Pretend', sample: threeParcels },
];

const folder = mkdtempSync(join(tmpdir(), 'waybridge-kill-'));
let sandbox: Sandbox;
let service: RunningService;
let start: () => Promise<RunningService>;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, carriers });
  const configFile = join(folder, 'waybridge.yaml');
  writeFileSync(configFile, sandboxConfig(sandbox));
  const place = { port: await freePort(), configFile, dataDir: join(folder, 'data') };
  await placeEmptyDatabase(place.dataDir);
  start = () => startService(sandboxEnvironment(sandbox, place));
  service = await start();
  sandbox.control.setEventTargets([eventTarget(service.url)]);
});

afterAll(async () => {
  await service.end('SIGTERM');
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Orders of all kinds at once, and the power goes after `moment`. */
async function killedAfter(moment: number): Promise<readonly number[]> {
  const { control } = sandbox;
  const documents = KINDS.map(({ carrierName, sample }) => {
    const shipment = control.createShipment({
      area: 1,
      shipment: { ...sample.shipment, carrierName },
      containers: sample.containers,
    });
    return control.createTransportBooking(shipment.id).id;
  });
  await new Promise((done) => setTimeout(done, moment));
  await service.end('SIGKILL');
  service = await start();
  return documents;
}

async function untilSettled(documents: readonly number[]): Promise<void> {
  const end = Date.now() + SETTLED_WITHIN_MS;
  const open = () =>
    sandbox.control
      .state()
      .documents.filter((document) => documents.includes(document.id))
      .filter((document) => !['DONE', 'FAILED'].includes(document.workStatus));
  while (open().length > 0 && Date.now() < end) await new Promise((done) => setTimeout(done, 50));
  expect(open()).toEqual([]);
}

describe('a service that is killed at any moment and started again', () => {
  const ordered = new Map<number, readonly number[]>();
  const documents: number[] = [];

  // What one death leaves unfinished meets the next ones.
  beforeAll(async () => {
    for (const moment of MOMENTS) ordered.set(moment, await killedAfter(moment));
    documents.push(...[...ordered.values()].flat());
  });

  it.each(MOMENTS)('ends every booking when it is killed %d ms after the events', (moment) =>
    untilSettled(ordered.get(moment) ?? []),
  );

  it('has booked no parcel of any shipment twice', () => {
    const bookings = carriers.flatMap(({ adapter }) => sandbox.control.bookings(adapter.id) ?? []);
    const { shipments, shippingContainers } = sandbox.control.state();
    for (const { id, shipmentNumber } of shipments) {
      const own = bookings.filter(
        ({ reference, state }) => state === 'booked' && reference.split(/[-.]/)[0] === shipmentNumber,
      );
      const containers = shippingContainers.filter((row) => row['shipmentId'] === id);
      expect(own.flatMap((booking) => booking.trackingNumbers).length).toBeLessThanOrEqual(containers.length);
    }
    expect(bookings.length).toBeGreaterThan(MOMENTS.length);
  });

  it('has written a number of its own to every container of every booking that is done', () => {
    const { documents: rows, shipments, shippingContainers } = sandbox.control.state();
    const done = rows.filter((row) => documents.includes(row.id) && row.workStatus === 'DONE');
    expect(done.length).toBeGreaterThan(MOMENTS.length);
    const ids = done.flatMap((row) => row.shipmentIds);
    const numbers = shippingContainers
      .filter((row) => ids.includes(Number(row['shipmentId'])))
      .map((row) => row['trackingNumber']);
    expect(numbers.every((number) => typeof number === 'string')).toBe(true);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(shipments.filter((row) => ids.includes(row.id)).every((row) => row['carriersShipmentNumber'])).toBe(true);
  });

  it('has attached one label file to each and printed it at most once', () => {
    const { documents: rows, attachments, prints } = sandbox.control.state();
    for (const row of rows.filter((candidate) => documents.includes(candidate.id) && candidate.workStatus === 'DONE')) {
      expect(attachments.filter((file) => file.ownerId === row.id)).toHaveLength(1);
      expect(prints.filter((print) => JSON.stringify(print.body).includes(String(row.id))).length).toBeLessThanOrEqual(
        1,
      );
    }
  });

  it('has told somebody of everything that failed', () => {
    const { documents: rows, messages } = sandbox.control.state();
    for (const row of rows.filter(
      (candidate) => documents.includes(candidate.id) && candidate.workStatus === 'FAILED',
    )) {
      expect(messages.filter((message) => message.eventId === row['documentCreatedEventId'])).not.toEqual([]);
    }
  });
});
