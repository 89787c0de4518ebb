import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainTracking } from '../../carriers/toolkit/tracking/plain-tracking.js';
import { applyStored } from '../../src/tracking/callbacks/apply-callbacks.js';
import { pollDue } from '../../src/tracking/polling/poll.js';
import { callingAccounts, warnOfMissingCallbacks } from '../../src/tracking/callbacks/missing.js';
import { SECRET, event } from './callers.js';
import { DAWN, type Stage, newParcel, recordingLog, register, storeCall, trackingStage } from './tracking-stage.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CALLING = ['main', 'other'].map((account) => ({ account, carrierId: 'test', carrierName: 'Test Carrier' }));

let stage: Stage;
let lines: { readonly level: string; readonly event: string }[];
let asked: number;

beforeEach(async () => {
  asked = 0;
  lines = [];
  const bare = await trackingStage(async ([trackingNumber = '']) => {
    asked += 1;
    return [event({ trackingNumber })];
  });
  const callbacks = new Map([['main', { secrets: { current: SECRET }, parse: plainTracking }]]);
  const context = { ...bare.tracking.booking, log: recordingLog(lines) };
  stage = { ...bare, tracking: { ...bare.tracking, callbacks, booking: context } };
});

afterEach(() => stage.database.close());

const look = () => callingAccounts(stage.database, CALLING, stage.clock.now());

describe('a carrier that calls', () => {
  it('is asked once a day all the same, for what its calls have left out', async () => {
    const account = stage.tracking.booking.accounts.get('main');
    if (!account) throw new Error('no account');
    await register(stage, [newParcel('1', { nextPollAt: DAWN })]);
    for (let hour = 0; hour < 10 * 24; hour += 1) {
      await pollDue(stage.tracking, account, () => false);
      stage.clock.forward(HOUR_MS);
    }
    expect(asked).toBeGreaterThanOrEqual(9);
    expect(asked).toBeLessThanOrEqual(12);
  });

  it('is reported when it has not called for a day while parcels are on their way, until it calls', async () => {
    await register(stage, [newParcel('1'), newParcel('2')]);
    stage.clock.forward(DAY_MS - HOUR_MS);
    expect(await look()).toMatchObject([{ account: 'main', lastCallAt: null, openParcels: 2, silent: false }, {}]);
    stage.clock.forward(2 * HOUR_MS);
    expect(await look()).toMatchObject([{ silent: true }, { account: 'other', openParcels: 0, silent: false }]);
    await warnOfMissingCallbacks(stage.tracking);
    expect(lines).toMatchObject([{ level: 'warn', event: 'carrier does not call', account: 'main', openParcels: 2 }]);
    await storeCall(stage, [event({ trackingNumber: '1' })]);
    await applyStored(stage.tracking);
    expect(await look()).toMatchObject([{ lastCallAt: stage.clock.now(), silent: false }, {}]);
    stage.clock.forward(DAY_MS + HOUR_MS);
    expect(await look()).toMatchObject([{ silent: true }, {}]);
    await storeCall(stage, [event({ trackingNumber: '1', status: 'delivered' })]);
    await storeCall(stage, [event({ trackingNumber: '2', status: 'delivered' })]);
    await applyStored(stage.tracking);
    stage.clock.forward(5 * DAY_MS);
    expect(await look()).toMatchObject([{ openParcels: 0, silent: false }, {}]);
  });
});
