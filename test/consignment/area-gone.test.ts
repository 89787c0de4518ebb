import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { advance } from '../../src/consignment/advance.js';
import type { BookingContext } from '../../src/consignment/context.js';
import { insertConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import type { Database } from '../../src/db/database.js';
import { keepLog } from '../support/log-lines.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { bookedPart, plan, worldOf } from '../support/consignments.js';
import { HandClock } from '../tracking/tracking-stage.js';

const DAY_MS = 24 * 3_600_000;
const QUARTER_MS = 15 * 60_000;

let database: Database;

beforeEach(async () => {
  database = await openEmptyDatabase();
});
afterEach(() => database.close());

interface Row {
  readonly state: string;
  readonly due_at: Date | null;
  readonly lease_until: Date | null;
}

/** A booking of an area that is not in the configuration, after a worker has tried it. @param change of its row, in SQL */
async function tried(change = "state = 'received'") {
  const clock = new HandClock();
  const { log, lines } = keepLog();
  const addressee = { eventId: 'event-1', userId: null, deviceName: null };
  const id = await insertConsignment(database, {
    ...{ area: '9', bookedOn: 'transport-booking', documentId: '501', shipmentId: '601', addressee, now: clock.now() },
  });
  if (id === null) throw new Error('it was not inserted');
  await database.query(`update consignment set ${change} where id = $1`, [id]);
  let cancelled = 0;
  const cancel = async () => {
    cancelled += 1;
    return { kind: 'cancelled' } as const;
  };
  const book = () => Promise.reject(new Error('nothing is booked'));
  const context: BookingContext = { ...worldOf({ book, cancel }, {}, clock), database, log };
  const row = async () => {
    const [found] = await database.query<Row>('select state, due_at, lease_until from consignment where id = $1', [id]);
    if (!found) throw new Error('it is gone');
    return { ...found, waitsMs: (found.due_at?.getTime() ?? Infinity) - clock.now().getTime() };
  };
  await advance(context, id);
  return { clock, lines, row, cancelled: () => cancelled, again: () => advance(context, id) };
}

describe('a booking whose area is not configured any more', () => {
  it('is tried again soon, by any instance, and the log says why', async () => {
    const { row, lines } = await tried();
    const { lease_until: leaseUntil, waitsMs } = await row();
    expect(leaseUntil).toBeNull();
    expect(waitsMs).toBeGreaterThan(0);
    expect(waitsMs).toBeLessThanOrEqual(500);
    const [broke, ...others] = lines.filter(({ level }) => level === 'error');
    expect([broke?.event, String(broke?.fields['error'])]).toEqual([
      'consignment broke',
      expect.stringContaining('area 9 is not configured'),
    ]);
    expect(others).toEqual([]);
  });

  it('waits for its area, longer each time', async () => {
    const { row, clock, again } = await tried();
    for (let times = 1; times <= 8; times += 1) {
      clock.forward((await row()).waitsMs);
      await again();
    }
    expect((await row()).waitsMs).toBeGreaterThanOrEqual(15_000);
    clock.forward(DAY_MS);
    await again();
    expect(await row()).toMatchObject({ state: 'received', waitsMs: expect.any(Number) });
    expect((await row()).waitsMs).toBeLessThanOrEqual(QUARTER_MS);
  });

  it('is tried a few times in an hour, so that neither the log nor its history fills up', async () => {
    const { row, clock, again, lines } = await tried();
    clock.forward(DAY_MS);
    await again();
    const broken = () => lines.filter(({ event }) => event === 'consignment broke').length;
    const before = broken();
    for (let waitedMs = 0; waitedMs < 3_600_000;) {
      const { waitsMs } = await row();
      clock.forward(waitsMs);
      waitedMs += waitsMs;
      await again();
    }
    expect(broken() - before).toBeLessThanOrEqual(5);
  });

  it('is tried soon again where its area was missing for some minutes only', async () => {
    const { row, clock, again } = await tried();
    clock.forward(5 * 60_000);
    await again();
    expect((await row()).waitsMs).toBeLessThanOrEqual(30_000);
  });

  it('is not cancelled at its carrier, and its cancellation waits for its area', async () => {
    const wish = JSON.stringify({ eventId: 'event-2', userId: null, deviceName: null, by: 'document' });
    const own = { plan: plan(['box-1']), outcome: null, claimed: true, compensating: false };
    const { row, clock, again, cancelled } = await tried(
      `state = 'closed', plan = '${JSON.stringify(own)}', parts = '${JSON.stringify([bookedPart(1)])}', cancel_wanted = '${wish}'`,
    );
    for (let times = 1; times <= 75; times += 1) {
      clock.forward((await row()).waitsMs);
      await again();
    }
    expect(cancelled()).toBe(0);
    expect((await row()).waitsMs).toBeLessThanOrEqual(QUARTER_MS);
  });
});
