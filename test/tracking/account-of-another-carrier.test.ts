import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pollDue } from '../../src/tracking/polling/poll.js';
import { parcelsOfShipment } from '../../src/tracking/parcels/parcel-rows.js';
import { bookedPart, plan } from '../support/consignments.js';
import { event } from './callers.js';
import { type Stage, endBooked, insertReceived, trackingStage } from './tracking-stage.js';

const DAY_MS = 24 * 3_600_000;

let stage: Stage;
const asked: string[] = [];

beforeAll(async () => {
  const track = async (numbers: readonly string[]) => {
    asked.push(...numbers);
    return numbers.map((trackingNumber) => event({ trackingNumber, status: 'delivered' }));
  };
  stage = await trackingStage(track, { trackAtOnce: 10 });
});

afterAll(() => stage.database.close());

it('the carrier that an account belongs to by now is not asked about parcels of the one before', async () => {
  const account = stage.tracking.booking.accounts.get('main');
  if (!account) throw new Error('no account');
  const of = (carrierId: string) => ({ ...plan(['box-1', 'box-2']), carrierId });
  const [before, since] = [await insertReceived(stage), await insertReceived(stage)];
  await endBooked(stage, before, { plan: of('former'), parts: [bookedPart(1)] });
  await endBooked(stage, since, { plan: of('test'), parts: [bookedPart(2)] });
  stage.clock.forward(DAY_MS);
  expect(await pollDue(stage.tracking, account, () => false)).toMatchObject({ answered: 1, answers: true });
  expect(asked).toEqual(['T-box-2']);
  const parcels = await parcelsOfShipment(stage.database, '1', 's-1');
  expect(parcels.map(({ status }) => status)).toEqual(['registered', 'delivered']);
  const [first] = parcels;
  expect(first?.nextPollAt?.getTime()).toBeGreaterThan(stage.clock.now().getTime());
});
