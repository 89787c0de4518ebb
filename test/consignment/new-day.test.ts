import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { createHeldLeases } from '../../src/worker/held-leases.js';
import { advance } from '../../src/consignment/advance.js';
import { insertTask } from '../../src/tasks/task-rows.js';
import { taskHandlers } from '../../src/app/task-handlers.js';
import { runTask } from '../../src/tasks/run-task.js';
import { findConsignment, insertConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import { startReconciliation } from '../../src/reconciliation/sweep.js';
import { sweep } from '../../src/consignment/sweeper.js';
import type { BookingContext } from '../../src/consignment/context.js';
import type { Database } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import type { Script, TestIms } from '../ims/ims-server.js';
import { startUsedIms, contextOfArea } from '../support/area-context.js';
import { until } from '../support/harness.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const MIDNIGHT = Date.parse('2026-03-03T00:00:00Z');
const MINUTE_MS = 60_000;
const LEASE_MS = 12_000;
const BOOKINGS_RUN_UNTIL = 99_500;
const OTHERS_RUN_UNTIL = 95_000;
const addressee = { eventId: 'event-1', userId: null, deviceName: null };

let database: Database;
let ims: TestIms;

beforeAll(async () => {
  database = await openEmptyDatabase();
  await migrate(database);
});
afterEach(async () => {
  await ims.close();
  await database.script('truncate event, consignment, task cascade');
});
afterAll(() => database.close());

/** A world whose IMS has taken so many requests today, and none on any other day. */
async function worldAfter(requests: number, api?: Script): Promise<BookingContext> {
  ims = await startUsedIms(requests, api);
  return { ...contextOfArea(database, ims), lease: { owner: 'us', lengthMs: LEASE_MS, held: createHeldLeases() } };
}

const told = () => ims.calls.filter(({ url }) => url.endsWith('/messages')).map(({ body }) => JSON.parse(body));

it('leaves a claimed booking until after midnight, tells its worker once, and counts its time from then', async () => {
  let answers = true;
  const context = await worldAfter(BOOKINGS_RUN_UNTIL - 1, ({ method, url }) => {
    if (method === 'POST') return { status: 200, json: {} };
    if (!answers) return { status: 503 };
    return { status: 200, json: url.includes('/documents/') ? { id: 501, workStatus: 'ON_GOING' } : { id: 601 } };
  });
  const now = () => context.clock.now();
  const demand = { area: '550', bookedOn: 'transport-booking', documentId: '501', shipmentId: '601' } as const;
  const id = (await insertConsignment(database, { ...demand, addressee, now: now() })) ?? '';
  const row = () => findConsignment(database, id);
  await advance(context, id);
  const dueAt = new Date(MIDNIGHT + 7_500);
  expect(await row()).toMatchObject({ state: 'received', claimed: true, attempts: 0, dueAt, runStartedAt: dueAt });

  for (let sweeps = 0; sweeps < 3; sweeps += 1) await sweep(context, () => undefined);
  await until('the worker is told', () => told().length > 0);
  expect(told()).toMatchObject([{ messageText: 'waiting-new-day' }]);

  // Long after any worker would have been told that nothing helps.
  answers = false;
  ims.clock.forward(MIDNIGHT + MINUTE_MS - now().getTime());
  await advance(context, id);
  expect(await row()).toMatchObject({ state: 'received', outcome: null, attempts: 1, leaseUntil: null });
  ims.clock.forward(31 * MINUTE_MS);
  await advance(context, id);
  await until('it is given up', async () => (await row())?.outcome === 'refused');
});

it('does not look for missed events when what is left of the day is for bookings', async () => {
  const context = await worldAfter(OTHERS_RUN_UNTIL);
  const lost = startReconciliation(context, async () => []);
  await expect(lost.sweep('550')).rejects.toMatchObject({ newDayAt: new Date(MIDNIGHT) });
  await lost.stop();
  expect(ims.calls).toEqual([]);
});

it('leaves what nobody waits for until some minutes after midnight, when the rest of the day is for bookings', async () => {
  const context = await worldAfter(OTHERS_RUN_UNTIL);
  const task = { id: 'event-1', kind: 'choose-carrier', area: '550', shipmentId: '1', documentId: null } as const;
  await insertTask(database, { ...task, addressee, createdAt: context.clock.now() });
  await runTask(context, taskHandlers, task.id);
  const [row] = await database.query<{ state: string; due_at: Date }>('select state, due_at from task');
  expect(row).toEqual({ state: 'open', due_at: new Date(MIDNIGHT + 5 * MINUTE_MS) });
  expect(ims.calls).toEqual([]);
});

it('tells a worker whose booking waits for midnight, with the requests that are kept for it', async () => {
  const context = await worldAfter(BOOKINGS_RUN_UNTIL);
  const demand = { area: '550', bookedOn: 'transport-booking', documentId: '501', shipmentId: '601' } as const;
  const longAgo = new Date(context.clock.now().getTime() - MINUTE_MS);
  await insertConsignment(database, { ...demand, addressee, now: longAgo });
  await expect(ims.area().loadShipment('601')).rejects.toMatchObject({ newDayAt: new Date(MIDNIGHT) });
  await sweep(context, () => undefined);
  await until('the worker is told', () => ims.calls.length > 0);
  expect(ims.calls.map(({ url }) => url)).toEqual(['/2/events/event-1/messages']);
  expect(told()).toMatchObject([{ messageText: 'waiting-new-day' }]);
});
