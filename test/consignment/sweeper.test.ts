import { afterEach, expect, it } from '@jest/globals';
import { insertConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import type { DueConsignment } from '../../src/consignment/ledger/due-rows.js';
import { type Wakers, sweep } from '../../src/consignment/sweeper.js';
import type { BookingContext } from '../../src/consignment/context.js';
import type { Area } from '../../src/areas/area.js';
import type { Database } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const NOW = new Date('2030-03-04T09:00:00Z');
const LONG_AGO = new Date('2030-03-04T08:59:00Z');

let database: Database;

afterEach(async () => database.close());

it('finds what is due while an IMS does not answer the message to a worker who waits', async () => {
  database = await openEmptyDatabase();
  await migrate(database);
  const addressee = { eventId: 'event-1', userId: null, deviceName: null };
  const id = await insertConsignment(database, {
    area: '1',
    bookedOn: 'transport-booking',
    documentId: '501',
    shipmentId: '601',
    addressee,
    now: LONG_AGO,
  });
  let posts = 0;
  const hanging = () => {
    posts += 1;
    return new Promise<void>(() => undefined);
  };
  const area = {
    text: () => 'wait',
    ims: { requestsLeft: () => 'everything' },
    imsBackground: { postEventMessage: hanging },
  } as unknown as Area;
  const context = {
    database,
    lease: { owner: 'test' },
    clock: { now: () => NOW },
    areas: new Map([['1', area]]),
    accounts: new Map(),
  } as unknown as BookingContext;
  const found: DueConsignment[] = [];
  const wake: Wakers['consignments'] = (due) => void found.push(...due);

  await sweep(context, wake);
  await sweep(context, wake);

  expect(found.map((each) => each.id)).toEqual([id, id]);
  expect(posts).toBe(1);
});
