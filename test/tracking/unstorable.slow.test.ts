import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TrackingEvent } from '../../carriers/contract/tracking.js';
import { applyStored } from '../../src/tracking/callbacks/apply-callbacks.js';
import { pollDue } from '../../src/tracking/polling/poll.js';
import { retryFailed } from '../../src/tracking/callbacks/callback-rows.js';
import { listFailed } from '../../src/tracking/ims-updates/given-up.js';
import { event } from './callers.js';
import { type Stage, known, newParcel, recordingLog, register, storeCall, trackingStage } from './tracking-stage.js';

/** Longer than an index takes, and not to be compressed. */
const ENDLESS = randomBytes(20_000).toString('hex');

let stage: Stage;
let answer: readonly TrackingEvent[];
let lines: { readonly level: string; readonly event: string }[];

beforeEach(async () => {
  const bare = await trackingStage(async () => answer, { trackAtOnce: 10 });
  lines = [];
  stage = { ...bare, tracking: { ...bare.tracking, booking: { ...bare.tracking.booking, log: recordingLog(lines) } } };
});

afterEach(() => stage.database.close());

const delivered = (trackingNumber: string, changes: Partial<TrackingEvent> = {}) =>
  event({ trackingNumber, status: 'delivered', ...changes });

const errors = () => lines.filter(({ level }) => level === 'error');

describe('a callback', () => {
  it('whose time is beyond all that can be stored is kept under the last one that can', async () => {
    await register(stage, [newParcel('1'), newParcel('2')]);
    await storeCall(stage, [event({ trackingNumber: '1', at: '9999-12-31T23:59:59-01:00' })], { account: 'main' });
    await storeCall(stage, [delivered('2')]);
    expect(await applyStored(stage.tracking)).toBe(2);
    expect(await known(stage)).toMatchObject({ parcels: [{ status: 'in-transit' }, { status: 'delivered' }] });
  });

  it('that can never be stored keeps no other from being applied, and is shown', async () => {
    await register(stage, [newParcel('1'), newParcel('2')]);
    await storeCall(stage, [delivered('1')]);
    await storeCall(stage, [event({ trackingNumber: ENDLESS })], { account: 'other' });
    await storeCall(stage, [delivered('2')]);
    while ((await applyStored(stage.tracking)) > 0);
    expect(await known(stage)).toMatchObject({ parcels: [{ status: 'delivered' }, { status: 'delivered' }] });
    const page = { account: null, since: null, until: null, q: null, cursor: null, limit: 10 };
    expect(await listFailed(stage.database, page)).toMatchObject({
      callbacks: [{ account: 'other', note: expect.stringContaining('index row') }],
      cursor: null,
    });
    expect(errors()).toMatchObject([{ event: 'callback not applied', account: 'other' }]);
  });

  it('that could not be stored is tried once more by the next version, and then left alone again', async () => {
    await storeCall(stage, [event({ trackingNumber: ENDLESS })]);
    await applyStored(stage.tracking);
    expect(await applyStored(stage.tracking)).toBe(0);
    await retryFailed(stage.database);
    expect(await applyStored(stage.tracking)).toBe(1);
    expect(await applyStored(stage.tracking)).toBe(0);
    expect(errors()).toHaveLength(2);
  });

  it('with many events is applied in a transaction of few, and one with more than that alone', async () => {
    const full = (from: number, count: number) =>
      Array.from({ length: count }, (_none, n) => event({ trackingNumber: '1', id: `${from}-${n}` }));
    await storeCall(stage, full(0, 2_500));
    for (let call = 1; call <= 5; call += 1) await storeCall(stage, full(call, 900));
    const counts: number[] = [];
    for (let count = 1; count > 0; counts.push(count)) count = await applyStored(stage.tracking);
    expect(counts).toEqual([1, 2, 2, 1, 0]);
  });
});

describe("a carrier's answer", () => {
  it('that can never be stored for one parcel is kept for the others, and that one is asked for more rarely', async () => {
    const account = stage.tracking.booking.accounts.get('main');
    if (!account) throw new Error('no account');
    await register(stage, [newParcel('1'), newParcel('2'), newParcel('3')]);
    answer = [delivered('1'), event({ trackingNumber: '2', id: ENDLESS }), delivered('3')];
    await pollDue(stage.tracking, account, () => false);
    expect(await known(stage)).toMatchObject({
      parcels: [{ status: 'delivered' }, { status: 'registered' }, { status: 'delivered' }],
    });
    expect(errors()).toMatchObject([{ event: 'tracking answer not kept', trackingNumber: '2' }]);
    const [row] = await stage.database.query<{ asks_failed: number; next_ask_at: Date }>(
      "select asks_failed, next_ask_at from tracked_parcel where tracking_number = '2'",
    );
    expect(row?.asks_failed).toBe(1);
    expect(Number(row?.next_ask_at)).toBeGreaterThan(stage.clock.now().getTime());
  });
});
