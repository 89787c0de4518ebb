import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Database, DatabaseUnavailable } from '../../src/db/database.js';
import { keepEvents } from '../../src/tracking/events/tracking-event-rows.js';
import { createRetention } from '../../src/tracking/parcels/retention.js';
import { event } from './callers.js';
import { type Stage, newParcel, recordingLog, register, storeCall, trackingStage } from './tracking-stage.js';

const DAY_MS = 24 * 3_600_000;
/** The events that one round looks at. */
const PAGE = 10_000;

let stage: Stage;

beforeAll(async () => {
  stage = await trackingStage(async () => []);
});

afterAll(() => stage.database.close());

beforeEach(() => stage.database.script('truncate tracked_parcel, tracking_event, callback restart identity'));

async function happened(trackingNumber: string): Promise<void> {
  const now = stage.clock.now();
  await keepEvents(stage.database, [{ account: 'main', event: event({ trackingNumber }) }], now);
}

async function manyHappened(trackingNumber: string, count: number): Promise<void> {
  await stage.database.query(
    `insert into tracking_event (account, tracking_number, dedupe, status, at, moment, zone, received_at)
     select 'main', $1, 'made:' || n, 'in-transit', '-', $2, 'stated', $2 from generate_series(1, $3::int) n`,
    [trackingNumber, stage.clock.now(), count],
  );
}

async function numbersWithEvents(): Promise<readonly string[]> {
  const rows = await stage.database.query<{ readonly number: string }>(
    'select distinct tracking_number as number from tracking_event order by number',
  );
  return rows.map(({ number }) => number);
}

/** The retention after a start. @param share of the events before the place where it begins to look */
function started(share: number): () => Promise<boolean> {
  return createRetention({ ...stage.tracking, booking: { ...stage.tracking.booking, random: () => share } });
}

/** The database, but for statements of these words, which fail as at their time limit. */
function failingAt(words: string): Database {
  const { database } = stage;
  return {
    ...database,
    query: async (text, values) => {
      if (text.includes(words)) throw new Error('canceling statement due to statement timeout');
      return database.query(text, values);
    },
  };
}

describe('events without a parcel', () => {
  it('are looked for in one page of events a round, in the order in which they came', async () => {
    const applyRetention = started(0);
    await register(stage, [newParcel('known')]);
    await happened('stranger-1');
    await manyHappened('known', PAGE);
    await happened('stranger-2');
    stage.clock.forward(15 * DAY_MS);
    expect(await applyRetention()).toBe(false);
    expect(await numbersWithEvents()).toEqual(['known', 'stranger-2']);
    expect(await applyRetention()).toBe(false);
    expect(await numbersWithEvents()).toEqual(['known']);
  });

  it('are found in the next pass when their parcel goes after they were looked at', async () => {
    const applyRetention = started(0);
    await register(stage, [newParcel('forgotten'), newParcel('known')]);
    await happened('forgotten');
    await manyHappened('known', PAGE);
    stage.clock.forward(15 * DAY_MS);
    await applyRetention();
    await stage.database.script("delete from tracked_parcel where tracking_number = 'forgotten'");
    await applyRetention();
    expect(await numbersWithEvents()).toEqual(['forgotten', 'known']);
    await applyRetention();
    expect(await numbersWithEvents()).toEqual(['known']);
  });

  it('are all deleted when a page has more of them than one statement deletes', async () => {
    const applyRetention = started(0);
    await manyHappened('stranger', 2_500);
    stage.clock.forward(15 * DAY_MS);
    let rounds = 1;
    while (await applyRetention()) rounds += 1;
    expect(rounds).toBe(3);
    expect(await numbersWithEvents()).toEqual([]);
  });

  it('are looked for from another place after each start, so that a service that is started often reaches all of them', async () => {
    await register(stage, [newParcel('known')]);
    await manyHappened('known', 2 * PAGE);
    await happened('stranger');
    stage.clock.forward(15 * DAY_MS);
    await started(0)();
    expect(await numbersWithEvents()).toEqual(['known', 'stranger']);
    await started(0.9)();
    expect(await numbersWithEvents()).toEqual(['known']);
  });

  it('are kept for 14 days; a page without older events ends the pass', async () => {
    const applyRetention = started(0);
    await happened('stranger-1');
    await manyHappened('stranger-2', PAGE);
    stage.clock.forward(13 * DAY_MS);
    await applyRetention();
    expect(await numbersWithEvents()).toEqual(['stranger-1', 'stranger-2']);
    stage.clock.forward(2 * DAY_MS);
    await applyRetention();
    expect(await numbersWithEvents()).toEqual(['stranger-2']);
  });
});

it('goes on with the other steps when one fails', async () => {
  const lines: { readonly level: string; readonly event: string }[] = [];
  await happened('stranger');
  await storeCall(stage, []);
  await stage.database.script("update callback set state = 'applied'");
  stage.clock.forward(31 * DAY_MS);
  const booking = { ...stage.tracking.booking, database: failingAt('delete from callback'), log: recordingLog(lines) };
  await createRetention({ ...stage.tracking, booking })();
  expect(await numbersWithEvents()).toEqual([]);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'warn', event: 'background step failed', step: 'bodies' }),
  );
});

it('tells in one line that the database was away during all steps', async () => {
  const lines: { readonly level: string; readonly event: string }[] = [];
  const query = () => Promise.reject(new DatabaseUnavailable('no connection'));
  const booking = { ...stage.tracking.booking, database: { ...stage.database, query }, log: recordingLog(lines) };
  expect(await createRetention({ ...stage.tracking, booking })()).toBe(false);
  expect(lines).toMatchObject([
    { event: 'background step failed', step: 'ended, bodies, unclaimed, wanted, parcels, numbers' },
  ]);
});
