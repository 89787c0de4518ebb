import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Area } from '../../src/areas/area.js';
import { advance } from '../../src/consignment/advance.js';
import type { BookingContext } from '../../src/consignment/context.js';
import { insertConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import type { Database } from '../../src/db/database.js';
import { bookedPart, plan, bookingContext } from '../support/consignments.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { HandClock } from '../tracking/tracking-stage.js';

const LOOKS_AT_THE_OTHERS = 'shipment_id = $2 and id <> $3';

let database: Database;

beforeEach(async () => {
  database = await openEmptyDatabase();
});
afterEach(() => database.close());

it('tells the worker of a cancellation that breaks each time it is tried, and tries it no more', async () => {
  const clock = new HandClock();
  const told: string[] = [];
  const area = {
    giveUpAfterMs: 1_800_000,
    text: ({ key }: { readonly key: string }) => key,
    ims: {
      can: () => true,
      postEventMessage: async (_event: string, { messageText }: { messageText: string }) => void told.push(messageText),
    },
  } as unknown as Area;
  const broken: Database = {
    ...database,
    query: (text, values) =>
      text.includes(LOOKS_AT_THE_OTHERS) ? Promise.reject(new Error('a bug')) : database.query(text, values),
  };
  const unused = () => Promise.reject(new Error('the carrier is not asked'));
  const world = bookingContext({ book: unused, cancel: unused }, {}, clock);
  const context: BookingContext = { ...world, database: broken, areas: new Map([['1', area]]) };
  const addressee = { eventId: 'event-1', userId: null, deviceName: null };
  const id = await insertConsignment(database, {
    ...{ area: '1', bookedOn: 'transport-booking', documentId: '501', shipmentId: '601', addressee, now: clock.now() },
  });
  const own = { plan: plan(['box-1']), outcome: null, claimed: true, compensating: false };
  await database.query(
    `update consignment set state = 'closed', plan = $2::jsonb, parts = $3::jsonb, cancel_wanted = $4::jsonb where id = $1`,
    [id, ...[own, [bookedPart(1)], { ...addressee, by: 'document' }].map((value) => JSON.stringify(value))],
  );
  const dueAt = async () =>
    (await database.query<{ due_at: Date | null }>('select due_at from consignment where id = $1', [id]))[0]?.due_at;
  for (let times = 0; times < 200; times += 1) {
    const at = await dueAt();
    if (!at) break;
    clock.forward(Math.max(0, at.getTime() - clock.now().getTime()));
    await advance(context, String(id));
  }
  expect(await dueAt()).toBeNull();
  expect(told).toEqual(['cancel-internal-error']);
  expect(await database.query('select cancel_wanted, state from consignment')).toEqual([
    { cancel_wanted: null, state: 'closed' },
  ]);
});
