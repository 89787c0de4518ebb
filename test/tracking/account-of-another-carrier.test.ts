import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { plainTracking } from '../../carriers/toolkit/tracking/plain-tracking.js';
import type { Account } from '../../src/accounts/account.js';
import { warnOfMissingCallbacks } from '../../src/tracking/callbacks/missing.js';
import { pollDue } from '../../src/tracking/polling/poll.js';
import { parcelsOfShipment } from '../../src/tracking/parcels/parcel-rows.js';
import { bookedPart, plan } from '../support/consignments.js';
import { SECRET, event } from './callers.js';
import { type Stage, endBooked, insertReceived, recordingLog, trackingStage } from './tracking-stage.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let stage: Stage;
let asked: string[];

beforeEach(() => {
  asked = [];
});
afterEach(() => stage.database.close());

/** @param trackAtOnce how many parcels the carrier is asked about in one call */
async function open(trackAtOnce: number): Promise<Account> {
  const track = async (numbers: readonly string[]) => {
    asked.push(...numbers);
    return numbers.map((trackingNumber) => event({ trackingNumber, status: 'delivered' }));
  };
  stage = await trackingStage(track, { trackAtOnce });
  const account = stage.tracking.booking.accounts.get('main');
  if (!account) throw new Error('no account');
  return account;
}

const FORMER = { carrierId: 'former', carrierName: 'Former Carrier' };
const NOW = { carrierId: 'test', carrierName: 'Test Carrier' };
const NOW_RENAMED_SINCE = { ...NOW, carrierName: 'Carrier of Tests' };

async function book(carrier: typeof NOW, boxes: readonly number[]): Promise<void> {
  const of = { ...plan(boxes.map((n) => `box-${n}`)), ...carrier };
  await endBooked(stage, await insertReceived(stage), { plan: of, parts: boxes.map((n) => bookedPart(n)) });
}

describe('the carrier that an account belongs to by now', () => {
  it('is not asked about parcels of the one before', async () => {
    const account = await open(10);
    await book(FORMER, [1]);
    await book(NOW, [2]);
    stage.clock.forward(DAY_MS);
    expect(await pollDue(stage.tracking, account, () => false)).toMatchObject({ answered: 1, answers: true });
    expect(asked).toEqual(['T-box-2']);
    const parcels = await parcelsOfShipment(stage.database, '1', 's-1');
    expect(parcels.map(({ status }) => status)).toEqual(['registered', 'delivered']);
    const [first] = parcels;
    expect(first?.nextPollAt?.getTime()).toBeGreaterThan(stage.clock.now().getTime());
  });

  it('is missed only for its own parcels when it does not call', async () => {
    await open(10);
    const lines: { readonly level: string; readonly event: string }[] = [];
    const callbacks = new Map([['main', { secrets: { current: SECRET }, parse: plainTracking }]]);
    const booking = { ...stage.tracking.booking, log: recordingLog(lines) };
    const look = async () => {
      stage.clock.forward(2 * DAY_MS);
      await warnOfMissingCallbacks({ ...stage.tracking, booking, callbacks });
    };
    await book(FORMER, [1, 2]);
    await look();
    expect(lines).toEqual([]);
    await book(NOW, [3]);
    await book(NOW_RENAMED_SINCE, [4]);
    await look();
    expect(lines).toMatchObject([{ event: 'carrier does not call', account: 'main', openParcels: 2 }]);
  });

  it('has its calls of the day for its own parcels', async () => {
    const account = await open(1);
    const many = Array.from({ length: 40 }, (_none, n) => n + 1);
    await book(FORMER, many);
    await book(NOW, [99]);
    const tracking = { ...stage.tracking, callsPerDay: new Map([['main', 48]]) };
    for (let hour = 0; hour < 12; hour += 1) {
      stage.clock.forward(HOUR_MS);
      await pollDue(tracking, account, () => false);
    }
    expect(asked).toEqual(['T-box-99']);
    expect(await stage.database.query('select calls from ask_day')).toEqual([{ calls: 1 }]);
  });
});
