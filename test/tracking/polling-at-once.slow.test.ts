import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CarrierRejected, CarrierUnavailable } from '../../carriers/contract/errors.js';
import type { CarrierAccount, Traits } from '../../carriers/contract/adapter.js';
import type { TrackingEvent } from '../../carriers/contract/tracking.js';
import { createBulkhead } from '../../src/accounts/bulkhead.js';
import type { Database } from '../../src/db/database.js';
import { applyStored } from '../../src/tracking/callbacks/apply-callbacks.js';
import { lockTracking } from '../../src/tracking/events/apply-events.js';
import { type Polled, pollDue } from '../../src/tracking/polling/poll.js';
import { insertCallbacks } from '../../src/tracking/callbacks/callback-rows.js';
import { lastSaid } from '../../src/tracking/events/tracking-event-rows.js';
import { createRetention } from '../../src/tracking/parcels/retention.js';
import { dueOutboxEntries } from '../../src/tracking/ims-updates/outbox-rows.js';
import { follow } from '../../src/tracking/parcels/register.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { describeOnServer } from '../db/postgres-server.js';
import { event } from './callers.js';
import { type Stage, known, newParcel, trackingStage, openEmptied } from './tracking-stage.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let stage: Stage;
let asked: (readonly string[])[];
let answer: (numbers: readonly string[]) => Promise<readonly TrackingEvent[]>;
let open: () => Promise<Database> = openEmptyDatabase;

const track: NonNullable<CarrierAccount['track']> = (numbers) => {
  asked.push(numbers);
  return answer(numbers);
};

async function begin(traits: Partial<Traits> = {}): Promise<void> {
  asked = [];
  answer = async () => [];
  stage = await trackingStage(track, traits, open);
}

afterEach(() => stage.database.close());

function ask(changes: Partial<Stage['tracking']> = {}): Promise<Polled> {
  const account = stage.tracking.booking.accounts.get('main');
  if (!account) throw new Error('no account');
  return pollDue({ ...stage.tracking, ...changes }, account, () => false);
}

let turn = 0;

/** The carrier calls: this happened, without a word about it. */
async function callBare(trackingNumber: string, events: readonly TrackingEvent[] = []): Promise<void> {
  turn += 1;
  const outcome = { events, poll: [trackingNumber] };
  const receivedAt = stage.clock.now();
  const call = { account: 'main', hash: `h-${turn}`, body: Buffer.from('{}'), outcome, note: null, receivedAt };
  await insertCallbacks(stage.database, [call]);
  await applyStored(stage.tracking);
}

async function register(trackingNumber: string): Promise<void> {
  const context = { options: stage.tracking.options, now: stage.clock.now() };
  await stage.database.transaction(async (sql) => {
    await lockTracking(sql);
    await follow(sql, [newParcel(trackingNumber, { nextPollAt: null })], context);
  });
}

const bare = (status: TrackingEvent['status'], trackingNumber = '1') => event({ trackingNumber, status, id: 'bare' });

function describeAsking(): void {
  it('is answered by asking, and what is said then is what the worker reads', async () => {
    await begin();
    await register('1');
    answer = async () => [event({ trackingNumber: '1', status: 'returned', text: 'Refused by the recipient' })];
    await callBare('1', [bare('returned')]);
    // The message waits for the words.
    expect(await dueOutboxEntries(stage.database, stage.clock.now(), 10)).toEqual([]);
    expect(await ask()).toMatchObject({ calls: 1, answers: true });
    stage.clock.forward(20_000);
    expect(await dueOutboxEntries(stage.database, stage.clock.now(), 10)).not.toEqual([]);
    const said = await lastSaid(stage.database, { account: 'main', trackingNumber: '1' }, 'returned');
    expect(said).toMatchObject({ text: 'Refused by the recipient' });
    expect(await known(stage)).toMatchObject({
      parcels: [{ status: 'returned', ended: true, left_alone: true }],
      notices: [{ kind: 'message', status: 'returned' }],
    });
    expect(await ask()).toMatchObject({ calls: 0 });
  });

  it('is asked for alone after a refusal of several numbers, so that one refused number postpones no other', async () => {
    await begin({ trackAtOnce: 10 });
    for (const number of ['1', '2', '3']) await register(number);
    answer = async (numbers) => {
      if (numbers.includes('2')) throw new CarrierRejected([{ code: null, text: 'no such number', parcelId: null }]);
      return numbers.map((trackingNumber) => event({ trackingNumber, status: 'in-transit', text: 'told' }));
    };
    for (const number of ['1', '2', '3']) await callBare(number, [bare('registered', number)]);
    await ask();
    expect(asked.map((numbers) => numbers.length)).toEqual([3, 1, 1, 1]);
    const said = async (trackingNumber: string) =>
      (await lastSaid(stage.database, { account: 'main', trackingNumber }, 'in-transit'))?.text;
    expect([await said('1'), await said('2'), await said('3')]).toEqual(['told', undefined, 'told']);
  });

  it('is asked for once the number is registered, when it comes before that', async () => {
    await begin();
    await callBare('1');
    expect(await ask()).toMatchObject({ calls: 0 });
    await register('1');
    await ask();
    expect(asked).toEqual([['1']]);
    await register('1');
    expect(await ask()).toMatchObject({ calls: 0 });
  });
}

describe('a callback that only says that something happened', () => {
  describeAsking();

  it('is asked for again when it comes while the carrier is being asked', async () => {
    await begin();
    await register('1');
    await callBare('1');
    answer = async () => {
      answer = async () => [];
      await callBare('1');
      return [];
    };
    await ask();
    await ask();
    expect(asked).toEqual([['1'], ['1']]);
  });

  it('is not asked for for ever when the parcel has ended and the carrier never answers', async () => {
    await begin();
    await register('1');
    await callBare('1', [bare('delivered')]);
    answer = () => Promise.reject(new CarrierUnavailable('down', null));
    for (let hour = 0; hour < 100; hour += 1) {
      await ask();
      stage.clock.forward(HOUR_MS);
    }
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.length).toBeLessThanOrEqual(8);
  });

  it('is forgotten when its number is never registered', async () => {
    await begin();
    await callBare('1');
    stage.clock.forward(15 * DAY_MS);
    await createRetention(stage.tracking)();
    await register('1');
    expect(await ask()).toMatchObject({ calls: 0 });
  });
});

describe('a carrier that did not answer bookings', () => {
  it('is asked again when its time is over, although nobody books', async () => {
    await begin();
    await register('1');
    await callBare('1');
    const { log } = stage.tracking.booking;
    const bulkhead = createBulkhead({ account: 'main', clock: stage.clock, random: () => 0.5, log });
    const account = stage.tracking.booking.accounts.get('main');
    if (!account) throw new Error('no account');
    const look = () => pollDue(stage.tracking, { ...account, bulkhead }, () => false);
    const down = () => Promise.reject(new CarrierUnavailable('down', null));
    for (const id of ['a', 'b', 'c', 'd', 'e']) await bulkhead.run(id, (call) => call(down)).catch(() => undefined);
    expect(await look()).toMatchObject({ calls: 0, answers: false });
    stage.clock.forward(HOUR_MS);
    expect(await look()).toMatchObject({ calls: 1, answers: true });
    expect(asked).toEqual([['1']]);
    // What a booking would find out is still to be found out.
    expect(bulkhead.circuitState()).toBe('half-open');
  });
});

describe('a carrier that answers a limited number of calls a day', () => {
  const PER_DAY = 24;

  /** In a day, looking four times an hour. @returns calls made in each hour */
  async function aDay(): Promise<readonly number[]> {
    const hours: number[] = [];
    for (let hour = 0; hour < 24; hour += 1) {
      const before = asked.length;
      for (let part = 0; part < 4; part += 1) {
        await ask({ callsPerDay: new Map([['main', PER_DAY]]) });
        stage.clock.forward(HOUR_MS / 4);
      }
      hours.push(asked.length - before);
    }
    return hours;
  }

  it('is asked that often, spread over the day, and the next day begins with who has waited longest', async () => {
    await begin();
    const numbers = Array.from({ length: 40 }, (_none, n) => `n${n}`);
    await stage.database.transaction((sql) =>
      follow(
        sql,
        numbers.map((number) => newParcel(number)),
        { options: stage.tracking.options, now: stage.clock.now() },
      ),
    );
    // The stage's clock stands at 6 in the morning.
    stage.clock.forward(18 * HOUR_MS);
    const first = await aDay();
    expect(asked.length).toBe(PER_DAY);
    expect(Math.max(...first.slice(1))).toBeLessThanOrEqual(2);
    await aDay();
    expect(asked.length).toBe(2 * PER_DAY);
    expect(new Set(asked.slice(0, numbers.length).flat()).size).toBe(numbers.length);
  });

  it('is not asked more often after a restart', async () => {
    await begin();
    await register('1');
    for (const limit of [1, 1]) {
      await callBare('1');
      // The count is in the database: nothing of it is kept between two rounds.
      await ask({ callsPerDay: new Map([['main', limit]]) });
      stage.clock.forward(60_000);
    }
    expect(asked).toHaveLength(1);
    stage.clock.forward(DAY_MS);
    expect(await ask({ callsPerDay: new Map([['main', 1]]) })).toMatchObject({ calls: 1, answers: true });
  });
});

describeOnServer('a callback that only says that something happened', (url) => {
  beforeEach(() => {
    open = () => openEmptied(url());
  });
  afterAll(() => {
    open = openEmptyDatabase;
  });

  describeAsking();
});
