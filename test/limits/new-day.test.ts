import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createHeldLeases } from '../../src/consignment/held-leases.js';
import { insertErrand } from '../../src/consignment/errand-rows.js';
import { runErrand } from '../../src/consignment/errands.js';
import { insertConsignment } from '../../src/consignment/ledger.js';
import { compileRules } from '../../src/routing/choose-carrier.js';
import { sweep } from '../../src/consignment/sweeper.js';
import type { Area, World } from '../../src/consignment/world.js';
import type { Database } from '../../src/db/database.js';
import { openEmbedded } from '../../src/db/embedded.js';
import { migrate } from '../../src/db/migrate.js';
import { silentLog } from '../../src/log.js';
import { type TestIms, memoryUsage, startTestIms } from '../ims/ims-server.js';
import { until } from './instances.js';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const MIDNIGHT = Date.parse('2026-03-03T00:00:00Z');
const addressee = { eventId: 'event-1', userId: null, deviceName: null };

let database: Database;
let ims: TestIms;

beforeEach(async () => {
  database = await openEmbedded(null);
  await migrate(database);
});
afterEach(async () => {
  await ims.close();
  await database.close();
});

/** A world whose IMS has taken so many requests today. */
async function worldAfter(requests: number): Promise<World> {
  const usage = memoryUsage();
  const { add } = usage;
  usage.add = async (keyId, day, calls) => requests + (await add(keyId, day, calls));
  ims = await startTestIms({ tools: { usage } });
  const area = {
    contextId: '550',
    ims: ims.area('booking'),
    imsBackground: ims.area('background'),
    text: ({ key }: { readonly key: string }) => key,
  } as unknown as Area;
  const clock = { now: () => new Date(NOW) };
  const lease = { owner: 'us', lengthMs: 12_000, held: createHeldLeases() };
  const areas = new Map([['550', area]]);
  return {
    database,
    clock,
    random: () => 0.5,
    log: silentLog,
    areas,
    accounts: new Map(),
    rules: compileRules([], []),
    lease,
  } as never;
}

it('leaves what nobody waits for until some minutes after midnight, when the rest of the day is for bookings', async () => {
  const world = await worldAfter(95_000);
  const at = new Date(NOW - 60_000);
  const errand = { id: 'event-1', kind: 'choose-carrier', area: '550', shipmentId: '1', documentId: null } as const;
  await insertErrand(database, { ...errand, addressee, createdAt: at });
  await runErrand(world, 'event-1');
  const [row] = await database.query<{ state: string; due_at: Date }>('select state, due_at from errand');
  expect(row).toEqual({ state: 'open', due_at: new Date(MIDNIGHT + 5 * 60_000) });
  expect(ims.calls).toEqual([]);
});

it('tells a worker whose booking waits for midnight, with the requests that are kept for it', async () => {
  const world = await worldAfter(99_600);
  const demand = { area: '550', bookedOn: 'transport-booking', documentId: '501', shipmentId: '601' } as const;
  await insertConsignment(database, { ...demand, addressee, now: new Date(NOW - 60_000) });
  await expect(ims.area().loadShipment('601')).rejects.toMatchObject({ newDayAt: new Date(MIDNIGHT) });
  await sweep(world, { consignments: () => undefined, errands: () => undefined });
  await until('the worker is told', () => ims.calls.length > 0, 5_000);
  expect(ims.calls.map(({ url }) => url)).toEqual(['/2/events/event-1/messages']);
  expect(JSON.parse(ims.calls[0]?.body ?? '{}')).toMatchObject({ messageText: 'waiting-new-day' });
});
