import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CarrierRejected, CarrierUnavailable } from '../../carriers/contract/errors.js';
import type { TrackingChanges, TrackingEvent } from '../../carriers/contract/tracking.js';
import type { Database } from '../../src/db/database.js';
import { readFeed } from '../../src/tracking/polling/feed.js';
import { describeOnServer } from '../db/postgres-server.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { event } from './callers.js';
import { type Stage, known, newParcel, recordingLog, register, trackingStage, openEmptied } from './tracking-stage.js';

const MINUTE_MS = 60_000;
const WAIT_MS = 5 * MINUTE_MS;
/** Longer than an index takes, and not to be compressed. */
const ENDLESS = randomBytes(20_000).toString('hex');

let stage: Stage;
let cursors: (string | null)[];
let answer: (cursor: string | null) => Promise<TrackingChanges>;
let open: () => Promise<Database> = openEmptyDatabase;

const say = (cursor: string, events: readonly TrackingEvent[] = [], waitMs = WAIT_MS): TrackingChanges => ({
  ...{ cursor, events, waitMs },
});
const delivered = (trackingNumber: string) => event({ trackingNumber, status: 'delivered' });

beforeEach(async () => {
  cursors = [];
  answer = async () => say('c1');
  const trackChanges = (cursor: string | null) => {
    cursors.push(cursor);
    return answer(cursor);
  };
  stage = await trackingStage({ trackChanges }, {}, open);
  await register(stage, [newParcel('1', { nextPollAt: null }), newParcel('2', { nextPollAt: null })]);
});
afterEach(() => stage.database.close());

async function read({ tracking } = stage, carrierId = 'test'): Promise<number> {
  const account = tracking.booking.accounts.get('main');
  if (!account) throw new Error('no account');
  return readFeed(tracking, { ...account, adapter: { ...account.adapter, id: carrierId } }, () => false);
}

const withDatabase = (database: Database): Stage => ({
  ...stage,
  tracking: { ...stage.tracking, booking: { ...stage.tracking.booking, database } },
});
const statuses = async () =>
  (await stage.database.query<{ status: string }>('select status from tracked_parcel order by tracking_number')).map(
    ({ status }) => status,
  );

function describeFeed(): void {
  it('is asked from where the last answer ended, and not before its time', async () => {
    answer = async () => say('c1', [delivered('1')]);
    expect([await read(), await read()]).toEqual([1, 0]);
    stage.clock.forward(WAIT_MS - 1);
    expect(await read()).toBe(0);
    answer = async () => say('c2', [delivered('2')]);
    stage.clock.forward(1);
    expect(await read()).toBe(1);
    expect(cursors).toEqual([null, 'c1']);
    expect(await statuses()).toEqual(['delivered', 'delivered']);
  });

  it('is asked by one instance at a time', async () => {
    expect((await Promise.all([read(), read(), read()])).toSorted()).toEqual([0, 0, 1]);
    expect(cursors).toEqual([null]);
  });

  it('gives the same events again when they could not be stored, and they count once', async () => {
    answer = async (cursor) => say(cursor === null ? 'c1' : 'c2', [delivered('1')]);
    const down = () => Promise.reject(new Error('the database is away'));
    await expect(read(withDatabase({ ...stage.database, transaction: down }))).rejects.toThrow('is away');
    // As after a crash: the call is due again when its claim is over.
    expect(await read()).toBe(0);
    stage.clock.forward(10 * MINUTE_MS);
    await read();
    const once = await known(stage);
    expect(once).toMatchObject({ notices: [{ tracking_number: '1', kind: 'message', status: 'delivered' }] });
    stage.clock.forward(WAIT_MS);
    await read();
    expect(cursors).toEqual([null, null, 'c1']);
    expect(await known(stage)).toEqual(once);
  });
}

describe('what changed in an account', () => {
  describeFeed();

  it('is asked for at once as long as more is waiting, up to twenty times', async () => {
    let count = 0;
    answer = async () => say(`c${(count += 1)}`, [], count < 3 ? 0 : WAIT_MS);
    expect(await read()).toBe(3);
    expect(cursors).toEqual([null, 'c1', 'c2']);
    answer = async () => say(`c${(count += 1)}`, [], 0);
    stage.clock.forward(WAIT_MS);
    expect(await read()).toBe(20);
  });

  it('is not asked for for ever where an answer leads back to itself', async () => {
    answer = async () => say('c1', [], 0);
    expect(await read()).toBe(2);
  });

  it.each([
    ['does not answer', new CarrierUnavailable('down', null), 5 * MINUTE_MS],
    ['asks for a longer time', new CarrierUnavailable('busy', 3_600_000), 3_600_000],
    ['does not let the account ask', new CarrierRejected([]), 5 * MINUTE_MS],
  ])('is asked for later from the same place when the carrier %s', async (_what, error, atMostMs) => {
    const lines: { readonly level: string; readonly event: string }[] = [];
    const log = recordingLog(lines);
    await read();
    stage.clock.forward(WAIT_MS);
    answer = () => Promise.reject(error);
    const { tracking } = stage;
    await read({ ...stage, tracking: { ...tracking, booking: { ...tracking.booking, log } } });
    expect(lines).toMatchObject([{ level: 'warn', event: 'tracking feed not answered', account: 'main' }]);
    expect(await read()).toBe(0);
    stage.clock.forward(atMostMs);
    expect(await read()).toBe(1);
    expect(cursors).toEqual([null, 'c1', 'c1']);
  });

  it("is asked from the beginning of the carrier that the account belongs to by now, not from the former carrier's place", async () => {
    await read(stage, 'former');
    stage.clock.forward(WAIT_MS);
    answer = async () => say('d1');
    await read();
    stage.clock.forward(WAIT_MS);
    answer = async () => say('d2');
    await read();
    expect(cursors).toEqual([null, null, 'd1']);
  });

  it('is asked from where the last answer ended that an earlier version has stored', async () => {
    await stage.database.query("insert into tracking_feed (account, cursor, due_at) values ('main', 'c7', $1)", [
      stage.clock.now(),
    ]);
    await read();
    expect(cursors).toEqual(['c7']);
  });

  it('goes on after an event that can never be stored', async () => {
    const lines: { readonly level: string; readonly event: string }[] = [];
    const { tracking } = stage;
    stage = { ...stage, tracking: { ...tracking, booking: { ...tracking.booking, log: recordingLog(lines) } } };
    answer = async () => say('c1', [event({ trackingNumber: '1', id: ENDLESS }), delivered('2')]);
    await read();
    expect(await statuses()).toEqual(['registered', 'delivered']);
    expect(lines).toMatchObject([{ level: 'error', event: 'tracking event not kept' }]);
    stage.clock.forward(WAIT_MS);
    await read();
    expect(cursors).toEqual([null, 'c1']);
  });
});

describeOnServer('what changed in an account', (url) => {
  beforeAll(() => {
    open = () => openEmptied(url());
  });
  afterAll(() => {
    open = openEmptyDatabase;
  });

  describeFeed();
});
