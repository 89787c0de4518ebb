import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Database } from '../../src/db/database.js';
import type { TrackingContext } from '../../src/tracking/context.js';
import { warnOfParcelsWithoutAccount } from '../../src/tracking/parcels/without-account.js';
import { startTracking } from '../../src/tracking/tracking.js';
import { until } from '../support/until.js';
import { type Stage, newParcel, recordingLog, register, trackingStage } from './tracking-stage.js';

let stage: Stage;

beforeEach(async () => {
  stage = await trackingStage(async () => []);
});
afterEach(() => stage.database.close());

/** The database waits by the others. */
const NOT_INTERVALS = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setTimeout', 'clearTimeout'] as const),
];

it('parcels on their way whose account is not configured any more are told of in the log', async () => {
  await register(stage, [
    newParcel('of-now'),
    newParcel('old-1', { account: 'gls-before' }),
    newParcel('old-2', { account: 'gls-before' }),
    newParcel('arrived', { account: 'gls-before' }),
    newParcel('older', { account: 'dao-before' }),
  ]);
  await stage.database.query(`update tracked_parcel set ended_at = now() where tracking_number = 'arrived'`);
  const lines: { readonly level: string; readonly event: string }[] = [];
  const booking = { ...stage.tracking.booking, log: recordingLog(lines) };
  await warnOfParcelsWithoutAccount({ ...stage.tracking, booking });
  const event = { level: 'warn', event: 'account of parcels not configured' };
  expect(lines).toEqual([
    { ...event, account: 'dao-before', openParcels: 1 },
    { ...event, account: 'gls-before', openParcels: 2 },
  ]);
});

it('such parcels are told of also while the search for carriers that do not call breaks', async () => {
  await register(stage, [newParcel('old', { account: 'gls-before' })]);
  const lines: { readonly level: string; readonly event: string; readonly work?: string }[] = [];
  const broken: Database = {
    ...stage.database,
    query: (text, values) =>
      text.includes('callback_heard') ? Promise.reject(new Error('it broke')) : stage.database.query(text, values),
  };
  const booking = { ...stage.tracking.booking, database: broken, log: recordingLog(lines) };
  const callbacks: TrackingContext['callbacks'] = new Map([['main', {} as never]]);
  jest.useFakeTimers({ now: Date.now(), doNotFake: NOT_INTERVALS });
  const tracking = startTracking({ ...stage.tracking, booking, callbacks });
  jest.advanceTimersByTime(3_600_000);
  jest.useRealTimers();
  try {
    const seen = () => lines.map(({ event }) => event);
    await until('the searches have ended', () => seen().includes('account of parcels not configured'), 10_000);
    expect(seen()).toContain('work in the background failed');
  } finally {
    await tracking.stop(1_000);
  }
});
