import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { claimSweeps } from '../../src/reconciliation/sweep.js';
import { type Ours, verdictOnShipment, verdictOnUnknown } from '../../src/reconciliation/verdict.js';
import type { Database } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/postgres.js';
import { readDocument, readShipment } from '../../src/ims/resources.js';
import { silentLog } from '../../src/log.js';
import { describeOnServer } from '../db/postgres-server.js';
import { NOON } from '../support/consignments.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const ours: Ours = { area: '1', accounts: [{ name: 'gls', imsCarrierName: 'GLS' }], rules: 1, statuses: 'kept' };
const document = (fields: object) => {
  const read = readDocument({ id: 7, documentType: 'TRANSPORT_BOOKING', workStatus: 'PENDING', ...fields });
  if (read === null) throw new Error('not a document');
  return read;
};
const shipment = (fields: object) => {
  const read = readShipment({ id: 5, shipmentNumber: '10045', carrierName: 'GLS', ...fields });
  if (read === null) throw new Error('not a shipment');
  return read;
};

interface Scene {
  readonly document?: object;
  readonly shipment?: object;
  readonly ours?: Partial<Ours>;
}

const verdictOn = (scene: Scene) =>
  verdictOnUnknown(document(scene.document ?? {}), shipment(scene.shipment ?? {}), { ...ours, ...scene.ours });

describe('a document that we do not know', () => {
  it.each([
    ['is recovered', {}, false],
    ['of a carrier in other letters is recovered', { shipment: { carrierName: ' gls' } }, false],
    ['without a carrier is recovered where rules choose one', { shipment: { carrierName: null } }, false],
    ['that is ON_GOING is in doubt', { document: { workStatus: 'ON_GOING' } }, true],
    ['that is FAILED is in doubt', { document: { workStatus: 'FAILED' } }, true],
    ['is in doubt where nobody may set a status', { ours: { statuses: 'not-kept' as const } }, true],
  ])('%s', (_case, scene, possiblyBooked) => {
    expect(verdictOn(scene)).toMatchObject({ kind: 'recover', missed: { possiblyBooked } });
  });

  it.each([
    ['that is cancelled', { document: { cancelled: true } }],
    ['whose work is cancelled', { document: { workStatus: 'CANCELLED' } }],
    ['that is done', { document: { workStatus: 'DONE' } }],
    ['of a cancelled shipment', { shipment: { cancelled: true } }],
    ['of a carrier that is none of ours', { shipment: { carrierName: 'Pigeon' } }],
    ['without a carrier, where there are no rules', { shipment: { carrierName: null }, ours: { rules: 0 } }],
  ])('%s is left alone', (_case, scene) => {
    expect(verdictOn(scene).kind).toBe('not-ours');
  });

  it('becomes the event that the IMS would have sent', () => {
    const at = '2030-03-04T11:00:00.000Z';
    const verdict = verdictOnUnknown(
      document({ documentCreatedEventId: 'e-1', timeCreated: at }),
      shipment({ carrierName: 'GLS' }),
      ours,
    );
    const event = verdict.kind === 'recover' ? verdict.missed.event : null;
    expect(event).toEqual({
      kind: 'event',
      eventId: 'e-1',
      eventType: 'documentCreated',
      contextId: '1',
      documentType: 'TRANSPORT_BOOKING',
      documentId: '7',
      shipmentId: '5',
      shipmentIds: ['5'],
      carrierName: 'GLS',
      userId: null,
      deviceName: null,
      occurredAt: new Date(at),
    });
  });

  it('has the same event each time, also where the IMS does not say which', () => {
    const idOf = (verdict: ReturnType<typeof verdictOnShipment>) =>
      verdict.kind === 'recover' ? verdict.missed.event.eventId : null;
    const ids = [
      idOf(verdictOnUnknown(document({}), shipment({}), ours)),
      idOf(verdictOnUnknown(document({}), shipment({}), ours)),
      idOf(verdictOnUnknown(document({ id: 5 }), shipment({}), ours)),
      idOf(verdictOnUnknown(document({}), shipment({}), { ...ours, area: '2' })),
      idOf(verdictOnShipment(shipment({ carrierName: null }), ours)),
    ];
    expect(ids[0]).toEqual(expect.stringMatching(/^lost:\w{32}$/));
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(4);
  });
});

function turns(open: () => Promise<Database>): void {
  let database: Database;
  let looked: string[];
  let now: Date;

  beforeAll(async () => {
    database = await open();
    await migrate(database);
  });
  afterAll(() => database.close());
  beforeEach(() => {
    looked = [];
    now = NOON;
  });

  const areasOf = (...names: readonly string[]) => new Map(names.map((name) => [name, {} as never]));
  const instance = (areas: ReturnType<typeof areasOf>, stopped = new AbortController().signal) =>
    claimSweeps(
      { database, areas, clock: { now: () => now }, random: () => 1, log: silentLog },
      async (area) => {
        looked.push(area);
        if (area.startsWith('broken')) throw new Error('broken');
      },
      stopped,
    );

  it('of many instances one looks through an area, and again after its time', async () => {
    const names = [randomUUID(), randomUUID()];
    const areas = areasOf(...names);
    await Promise.all([instance(areas), instance(areas), instance(areas)]);
    expect(looked.toSorted()).toEqual(names.toSorted());
    now = new Date(NOON.getTime() + 8 * 60_000);
    await instance(areas);
    expect(looked).toHaveLength(2);
    now = new Date(NOON.getTime() + 10 * 60_000);
    await Promise.all([instance(areas), instance(areas)]);
    expect(looked).toHaveLength(4);
  });

  it('looks again at once when the clock was ahead at the last search, and has been set right', async () => {
    const areas = areasOf(randomUUID());
    now = new Date(NOON.getTime() + 24 * 3_600_000);
    await instance(areas);
    now = NOON;
    await Promise.all([instance(areas), instance(areas)]);
    expect(looked).toHaveLength(2);
  });

  it('goes on with the next area when one cannot be looked through', async () => {
    const names = [`broken-${randomUUID()}`, randomUUID()];
    await instance(areasOf(...names));
    expect(looked).toEqual(names);
  });

  it('begins nothing when it is told to stop', async () => {
    await instance(areasOf(randomUUID()), AbortSignal.abort());
    expect(looked).toEqual([]);
  });
}

describe('taking turns', () => {
  turns(() => openEmptyDatabase());
});

describeOnServer('taking turns', (url) => turns(async () => openPostgres(url(), silentLog)));
