import { afterEach, describe, expect, it } from '@jest/globals';
import { CarrierUnavailable } from '../../carriers/contract/errors.js';
import type { CarrierAccount, Traits } from '../../carriers/contract/adapter.js';
import type { Account } from '../../src/accounts/account.js';
import { type Polled, pollDue } from '../../src/tracking/polling/poll.js';
import { MAX_TRACKED_MS, firstPollAt, nextPollAt } from '../../src/tracking/polling/schedule.js';
import { createRetention } from '../../src/tracking/parcels/retention.js';
import { until } from '../support/until.js';
import { event } from './callers.js';
import { DAWN, type Stage, known, newParcel, register, trackingStage } from './tracking-stage.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let stage: Stage;
let close: () => Promise<void> = async () => undefined;

async function open(track: NonNullable<CarrierAccount['track']>, traits: Partial<Traits> = {}): Promise<void> {
  stage = await trackingStage(track, traits);
  close = stage.database.close;
}

afterEach(async () => {
  await close();
  close = async () => undefined;
});

function account(): Account {
  const found = stage.tracking.booking.accounts.get('main');
  if (!found) throw new Error('no account');
  return found;
}

const ask = (): Promise<Polled> => pollDue(stage.tracking, account(), () => false);

async function dueIn(): Promise<readonly (number | null)[]> {
  const rows = await stage.database.query<{ next_ask_at: Date | null }>(
    'select next_ask_at from tracked_parcel order by tracking_number',
  );
  const now = stage.clock.now().getTime();
  return rows.map((row) => (row.next_ask_at === null ? null : row.next_ask_at.getTime() - now));
}

describe('a carrier without callbacks', () => {
  it('is asked for many parcels at once, as many as it takes, and each is asked for again later', async () => {
    const calls: (readonly string[])[] = [];
    await open(
      async (numbers) => {
        calls.push(numbers);
        return numbers.map((trackingNumber) => event({ trackingNumber, status: 'in-transit' }));
      },
      { trackAtOnce: 10 },
    );
    await register(
      stage,
      Array.from({ length: 25 }, (_none, n) => newParcel(String(n))),
    );
    expect(await ask()).toEqual({ parcels: 25, calls: 3, answered: 3, answers: true });
    expect(await stage.database.query('select * from account_polled')).toEqual([
      { account: 'main', polled_at: stage.clock.now() },
    ]);
    expect(calls.map((numbers) => numbers.length).sort()).toEqual([10, 10, 5]);
    expect(await ask()).toEqual({ parcels: 0, calls: 0, answered: 0, answers: true });
    for (const ms of await dueIn()) {
      expect(ms).toBeGreaterThanOrEqual(1.8 * HOUR_MS);
      expect(ms).toBeLessThanOrEqual(2.2 * HOUR_MS);
    }
  });

  it('is told the numbers of the bookings that the parcels belong to, where they are known', async () => {
    const told: unknown[] = [];
    await open(
      async (_numbers, carrierNumbers) => {
        told.push(carrierNumbers);
        return [];
      },
      { trackAtOnce: 10 },
    );
    await register(stage, [newParcel('1'), newParcel('2'), newParcel('3', { consignmentId: 'c-2' }), newParcel('4')]);
    const booking = (carrierNumber: string | null, trackingNumber: string) => ({
      booking: { carrierNumber, parcels: [{ kind: 'booked', parcelId: `box-${trackingNumber}`, trackingNumber }] },
    });
    const parts = {
      'c-1': [{ booking: null }, booking('C-1', '1')],
      'c-2': [booking('C-2', '2'), booking('C-3', '3')],
    };
    for (const [id, list] of Object.entries({ ...parts, 'c-4': [booking(null, '4')] }))
      await stage.database.query(
        `insert into consignment (id, area, booked_on, document_id, event_id, state, parts, run_started_at, created_at, updated_at)
         values ($1, '1', 'transport-booking', $1, 'e-1', 'booked', $2::jsonb, $3, $3, $3)`,
        [id, JSON.stringify(list), DAWN],
      );
    await ask();
    expect(told).toEqual([{ '1': 'C-1', '2': 'C-2', '3': 'C-3' }]);
  });

  it('is not asked any more for a parcel that has come to its end', async () => {
    await open(async ([trackingNumber = '']) => [event({ trackingNumber, status: 'delivered' })]);
    await register(stage, [newParcel('1')]);
    await ask();
    expect(await dueIn()).toEqual([null]);
    expect(await known(stage)).toMatchObject({ parcels: [{ status: 'delivered', ended: true }] });
  });

  it('is asked again later when it does not answer, ever more rarely, and never sooner than it wants', async () => {
    let retryAfterMs: number | null = null;
    await open(() => Promise.reject(new CarrierUnavailable('down', retryAfterMs)));
    await register(stage, [newParcel('1')]);
    const delays: number[] = [];
    for (let failed = 0; failed < 12; failed += 1) {
      expect(await ask()).toMatchObject({ calls: 1, answers: false });
      const [ms = 0] = await dueIn();
      delays.push(Number(ms));
      stage.clock.forward(Number(ms));
    }
    expect(delays[0]).toBeLessThanOrEqual(5 * MINUTE_MS);
    expect(delays.at(-1)).toBeGreaterThanOrEqual(3 * HOUR_MS);
    expect(delays.at(-1)).toBeLessThanOrEqual(6 * HOUR_MS);
    retryAfterMs = 5.9 * HOUR_MS;
    await ask();
    expect(Number((await dueIn())[0])).toBeGreaterThanOrEqual(retryAfterMs);
  });

  it('is asked again for what it was asked for by a process that died with the answer', async () => {
    let asked = 0;
    await open(async ([trackingNumber = '']) => {
      asked += 1;
      return asked === 1 ? new Promise<never>(() => undefined) : [event({ trackingNumber, status: 'delivered' })];
    });
    await register(stage, [newParcel('1')]);
    void ask();
    await until('the carrier is asked', () => asked === 1);
    expect(await ask()).toMatchObject({ calls: 0 });
    stage.clock.forward(10 * MINUTE_MS);
    expect(await ask()).toMatchObject({ calls: 1 });
    expect(await known(stage)).toMatchObject({ parcels: [{ status: 'delivered' }] });
  });

  it('is left alone while it does not answer bookings', async () => {
    await open(async () => []);
    await register(stage, [newParcel('1')]);
    const silent = { ...account(), bulkhead: { ...account().bulkhead, circuitState: () => 'open' as const } };
    expect(await pollDue(stage.tracking, silent, () => false)).toEqual({
      parcels: 0,
      calls: 0,
      answered: 0,
      answers: false,
    });
  });

  it('is not asked for parcels that are older than 60 days, whose status stays', async () => {
    await open(async ([trackingNumber = '']) => [event({ trackingNumber, status: 'in-transit' })]);
    await register(stage, [newParcel('1')]);
    await ask();
    stage.clock.forward(MAX_TRACKED_MS + MINUTE_MS);
    await createRetention(stage.tracking)();
    expect(await ask()).toMatchObject({ calls: 0 });
    expect(await known(stage)).toMatchObject({ parcels: [{ status: 'in-transit', ended: true, left_alone: true }] });
  });
});

describe('the schedule', () => {
  it('asks for one parcel at most 120 times in its 60 days, and not afterwards', () => {
    let at: Date | null = firstPollAt(DAWN, 0.5);
    let count = 0;
    let last = DAWN;
    while (at !== null) {
      count += 1;
      last = at;
      at = nextPollAt(DAWN, at, 0);
    }
    expect(count).toBeGreaterThan(60);
    expect(count).toBeLessThanOrEqual(120);
    expect(last.getTime() - DAWN.getTime()).toBeLessThanOrEqual(MAX_TRACKED_MS + 3 * DAY_MS);
  });

  it('costs a bounded number of calls a day for 100,000 open parcels, spread over time', async () => {
    const OPEN = 100_000;
    const HOURS = 6;
    const AT_ONCE = 100;
    let calls = 0;
    await open(
      async () => {
        calls += 1;
        return [];
      },
      { trackAtOnce: AT_ONCE },
    );
    // Of all ages up to 30 days: each day 3,333 parcels are booked, over eight hours.
    const parcels = Array.from({ length: OPEN }, (_none, n) => {
      const day = Math.floor((n * 30) / OPEN);
      const registeredAt = new Date(DAWN.getTime() - day * DAY_MS - (n % 480) * MINUTE_MS);
      return newParcel(String(n), { registeredAt, nextPollAt: new Date(DAWN.getTime() + (n % 1_440) * MINUTE_MS) });
    });
    await register(stage, parcels);
    const perHour: number[] = [];
    for (let hour = 0; hour < HOURS; hour += 1) {
      calls = 0;
      for (let part = 0; part < 4; part += 1) {
        stage.clock.forward(HOUR_MS / 4);
        await ask();
      }
      perHour.push(calls);
    }
    const sum = perHour.reduce((total, count) => total + count, 0);
    // 2 days × 12, 5 × 6, 7 × 3 and 16 × 1 asks a day of each day's 3,333 parcels, and calls that are not full.
    const asksInADay = (OPEN / 30) * (2 * 12 + 5 * 6 + 7 * 3 + 16);
    expect(sum).toBeLessThanOrEqual((((asksInADay / AT_ONCE) * HOURS) / 24) * 1.1 + HOURS * 4 * 4);
    expect(Math.max(...perHour)).toBeLessThanOrEqual((2 * sum) / HOURS);
  });
});
