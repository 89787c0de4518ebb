import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Area } from '../../src/areas/area.js';
import { tellMissingScopes } from '../../src/consignment/missing-scopes.js';
import type { Database } from '../../src/db/database.js';
import { keepLog } from '../support/log-lines.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { HandClock } from '../tracking/tracking-stage.js';

const DAY_MS = 24 * 3_600_000;

let database: Database;
let clock: HandClock;
let lines: ReturnType<typeof keepLog>;
let mayPatch: boolean;
let told: string[];

beforeAll(async () => {
  database = await openEmptyDatabase();
});
beforeEach(async () => {
  await database.script('truncate sent_message');
  clock = new HandClock();
  lines = keepLog();
  mayPatch = false;
  told = [];
});
afterAll(() => database.close());

/** The end of a booking in an area that may do everything, except to write tracking numbers while `mayPatch` is false. */
function bookingEnds(post = async (key: string) => void told.push(key)): Promise<void> {
  const area = {
    contextId: '1',
    phrase: (key: string) => key,
    ims: { can: (name: string) => name !== 'patchShippingContainer' || mayPatch },
  } as unknown as Area;
  return tellMissingScopes({ database, log: lines.log, clock }, area, (message) => post(message.key));
}

it('tells workers and the log once that a scope is missing', async () => {
  await bookingEnds();
  clock.forward(2 * 3_600_000);
  await bookingEnds();
  expect(told).toEqual(['not-allowed']);
  expect(lines.lines).toMatchObject([{ level: 'error', event: 'not allowed' }]);
});

it('tells of a scope that is lost again after it was given back', async () => {
  await bookingEnds();
  mayPatch = true;
  clock.forward(DAY_MS);
  await bookingEnds();
  mayPatch = false;
  clock.forward(7 * DAY_MS);
  await bookingEnds();
  expect(told).toHaveLength(2);
  expect(lines.lines).toHaveLength(2);
});

it('tells once in a week while the scope stays missing', async () => {
  for (let day = 0; day < 14; day += 1) {
    await bookingEnds();
    clock.forward(DAY_MS);
  }
  expect(told).toHaveLength(2);
});

it('tells once of two bookings that end at the same moment, also after a week', async () => {
  for (const times of [1, 2]) {
    await Promise.all([bookingEnds(), bookingEnds()]);
    expect(told).toHaveLength(times);
    clock.forward(8 * DAY_MS);
  }
});

it('tells again at the next booking where a message after a week could not be sent', async () => {
  await bookingEnds();
  clock.forward(8 * DAY_MS);
  await expect(bookingEnds(() => Promise.reject(new Error('the IMS is away')))).rejects.toThrow('away');
  await bookingEnds();
  expect(told).toHaveLength(2);
});
