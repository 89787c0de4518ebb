import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { warnOfParcelsWithoutAccount } from '../../src/tracking/parcels/without-account.js';
import { type Stage, newParcel, recordingLog, register, trackingStage } from './tracking-stage.js';

let stage: Stage;

beforeEach(async () => {
  stage = await trackingStage(async () => []);
});
afterEach(() => stage.database.close());

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
