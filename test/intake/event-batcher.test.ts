import { expect, it } from '@jest/globals';
import { createClaimedRows } from '../../src/consignment/claimed-rows.js';
import type { BookingContext } from '../../src/consignment/context.js';
import { dueConsignments } from '../../src/consignment/ledger/due-rows.js';
import type { Wakers } from '../../src/consignment/sweeper.js';
import { createEventBatcher } from '../../src/intake/event-batcher.js';
import { silentLog } from '../../src/log.js';
import { createRunner } from '../../src/worker/runner.js';
import { NOON } from '../support/consignments.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const AT_ONCE = 2;

function booking(n: number): object {
  const detail = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1' };
  return { ...detail, eventId: `e-${n}`, documentId: `d-${n}`, shipmentId: `s-${n}` };
}

it('leaves to other instances what would not start at once, also of events that are stored together', async () => {
  const database = await openEmptyDatabase();
  const runner = createRunner(() => new Promise<void>(() => undefined), silentLog, AT_ONCE);
  const wakers: Wakers = {
    consignments: (due) => due.forEach(({ id, area }) => runner.wake([id], area)),
    tasks: () => undefined,
    startsAtOnce: runner.startsAtOnce,
  };
  const context = {
    ...{ database, log: silentLog, clock: { now: () => NOON }, claimed: createClaimedRows() },
    ...{ areas: new Map([['1', { bookOn: 'transport-booking' }]]), ahead: { event: () => undefined } },
    lease: { owner: 'this one', lengthMs: 12_000 },
  } as unknown as BookingContext;
  const { takeInBody } = createEventBatcher(context, wakers);
  await takeInBody(Buffer.from(JSON.stringify([1, 2, 3, 4, 5].map(booking))));
  const found = await dueConsignments(database, { now: NOON, limit: 10, owner: 'another one' });
  expect([runner.running().length, found.length]).toEqual([AT_ONCE, 3]);
  await database.close();
});
