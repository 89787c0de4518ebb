import { CarrierUnavailable } from '../../carriers/contract/errors.js';
import type { Area } from '../../src/areas/area.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { advance } from '../../src/consignment/advance.js';
import type { BookingContext } from '../../src/consignment/context.js';
import { insertConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import type { Database } from '../../src/db/database.js';
import { keepLog } from '../support/log-lines.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { bookedPart, part, plan, bookingContext } from '../support/consignments.js';
import { HandClock } from '../tracking/tracking-stage.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WISH = JSON.stringify({ eventId: 'event-2', userId: null, deviceName: null, by: 'document' });
const QUARTER_MS = 15 * 60_000;
const PLAN = { plan: plan(['box-1']), outcome: null, claimed: true, compensating: false };
/** Its request is ready, and was never sent. */
const PLANNED = `state = 'planned', plan = '${JSON.stringify(PLAN)}', parts = '${JSON.stringify([part(1)])}'`;
const BOOKED_AND_CANCELLED = `state = 'closed', plan = '${JSON.stringify(PLAN)}',
  parts = '${JSON.stringify([bookedPart(1)])}', cancel_wanted = '${WISH}'`;

let database: Database;

beforeEach(async () => {
  database = await openEmptyDatabase();
});
afterEach(() => database.close());

interface Row {
  readonly state: string;
  readonly due_at: Date | null;
  readonly lease_until: Date | null;
  readonly cancel_wanted: object | null;
  /** The end to come, or else the state. */
  readonly outcome: string;
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
    throw new CarrierUnavailable('it does not answer');
  };
  let booked = 0;
  const book = async () => {
    booked += 1;
    throw new CarrierUnavailable('it does not answer');
  };
  const context: BookingContext = { ...bookingContext({ book, cancel }, {}, clock), database, log };
  const row = async () => {
    const [found] = await database.query<Row>(
      "select state, due_at, lease_until, cancel_wanted, coalesce(plan->>'outcome', state) as outcome from consignment where id = $1",
      [id],
    );
    if (!found) throw new Error('it is gone');
    return { ...found, waitsMs: (found.due_at?.getTime() ?? Infinity) - clock.now().getTime() };
  };
  await advance(context, id);
  const again = () => advance(context, id);
  /** It is tried again whenever it is due. */
  const passes = async (ms: number) => {
    const end = clock.now().getTime() + ms;
    while (clock.now().getTime() < end) {
      clock.forward((await row()).waitsMs);
      await again();
    }
  };
  const configured = () => void (context.areas as Map<string, Area>).set('9', { giveUpAfterMs: HOUR_MS } as Area);
  const missing = () => void (context.areas as Map<string, Area>).delete('9');
  const calls = { cancelled: () => cancelled, booked: () => booked };
  return { clock, lines, row, ...calls, again, passes, configured, missing };
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
    const { row, clock, again, passes } = await tried();
    for (let times = 1; times <= 8; times += 1) {
      clock.forward((await row()).waitsMs);
      await again();
    }
    expect((await row()).waitsMs).toBeGreaterThanOrEqual(15_000);
    await passes(DAY_MS);
    expect(await row()).toMatchObject({ state: 'received', waitsMs: QUARTER_MS });
  });

  it('is tried a few times in an hour, so that neither the log nor its history fills up', async () => {
    const { lines, passes } = await tried();
    await passes(DAY_MS);
    const broken = () => lines.filter(({ event }) => event === 'consignment broke').length;
    const before = broken();
    await passes(HOUR_MS);
    expect(broken() - before).toBeLessThanOrEqual(5);
    expect(await database.query("select what from journal where what = 'broke'")).toHaveLength(1);
  });

  it.each([5, 20, 60, 150])(
    'is tried again within a tenth of the %d minutes that its area was missing',
    async (minutes) => {
      const { row, passes } = await tried();
      await passes(minutes * MINUTE_MS);
      expect((await row()).waitsMs).toBeLessThanOrEqual(minutes * 6_000 * 1.1);
    },
  );

  it('is tried again soon where it is an old one, whose cancellation is asked for while its area is missing', async () => {
    const { row } = await tried(
      `state = 'closed', run_started_at = now() - interval '30 years', cancel_wanted = '${WISH}'`,
    );
    expect((await row()).waitsMs).toBeLessThanOrEqual(500);
  });

  it('is tried again soon, however often it was tried while its area was there', async () => {
    const { row, passes } = await tried("state = 'received', tries = 60");
    expect((await row()).waitsMs).toBeLessThanOrEqual(500);
    await passes(20 * MINUTE_MS);
    expect((await row()).waitsMs).toBeLessThanOrEqual(20 * 6_000 * 1.1);
  });

  it('is cancelled when its area is back, as often as if the area had never been missing', async () => {
    const { row, again, clock, cancelled, passes, configured } = await tried(BOOKED_AND_CANCELLED);
    await passes(2 * DAY_MS);
    configured();
    for (let times = 1; times <= 70; times += 1) {
      clock.forward((await row()).waitsMs);
      await again();
      expect((await row()).cancel_wanted).not.toBeNull();
    }
    expect(cancelled()).toBe(70);
  });

  it('has the whole time of its area to be booked when its area is back, however long that was missing', async () => {
    const { row, clock, again, booked, passes, configured } = await tried(PLANNED);
    await passes(2 * DAY_MS);
    expect(booked()).toBe(0);
    configured();
    clock.forward((await row()).waitsMs);
    await again();
    expect([booked(), (await row()).outcome]).toEqual([1, 'booking']);
    await passes(HOUR_MS / 2);
    expect((await row()).outcome).toBe('booking');
    clock.forward(HOUR_MS);
    await again();
    expect((await row()).outcome).toBe('refused');
  });

  it('is tried again when its area is back, where the first attempt breaks', async () => {
    const { row, clock, again, passes, configured } = await tried();
    await passes(2 * DAY_MS);
    configured();
    clock.forward((await row()).waitsMs);
    await again();
    expect((await row()).outcome).toBe('received');
    expect((await row()).waitsMs).toBeLessThanOrEqual(500);
  });

  it('does not have the time anew each time that its area is missing for a moment', async () => {
    const { row, clock, booked, again, configured, missing } = await tried(PLANNED);
    const round = async () => {
      configured();
      await again();
      clock.forward(2 * MINUTE_MS);
      missing();
      await again();
      clock.forward(MINUTE_MS);
    };
    for (let minutes = 0; minutes < 54; minutes += 2) await round();
    expect((await row()).outcome).toBe('booking');
    for (let minutes = 54; minutes < 66; minutes += 2) await round();
    expect(booked()).toBeGreaterThan(10);
    expect((await row()).outcome).toBe('refused');
  });

  it('is not cancelled at its carrier, and its cancellation waits for its area', async () => {
    const { row, clock, again, cancelled } = await tried(BOOKED_AND_CANCELLED);
    for (let times = 1; times <= 75; times += 1) {
      clock.forward((await row()).waitsMs);
      await again();
    }
    expect(cancelled()).toBe(0);
    expect((await row()).waitsMs).toBeLessThanOrEqual(QUARTER_MS);
  });
});
