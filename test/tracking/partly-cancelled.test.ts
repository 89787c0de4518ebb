import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Part } from '../../src/consignment/consignment.js';
import { insertConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import { asJsonb } from '../../src/db/json.js';
import { parcelsOfShipment } from '../../src/tracking/parcels/parcel-rows.js';
import { registerEnded } from '../../src/tracking/parcels/register.js';
import { bookedPart, plan } from '../support/consignments.js';
import { type Stage, trackingStage } from './tracking-stage.js';

let stage: Stage;

beforeAll(async () => {
  stage = await trackingStage(async () => []);
});

afterAll(() => stage.database.close());

beforeEach(() => stage.database.script('truncate consignment, tracked_parcel, tracking_event cascade'));

async function newConsignment(): Promise<string> {
  const addressee = { eventId: 'e-1', userId: 7, deviceName: null };
  const of = { area: '1', bookedOn: 'transport-booking', documentId: 'd-1', shipmentId: 's-1' } as const;
  return (await insertConsignment(stage.database, { ...of, addressee, now: stage.clock.now() })) ?? '';
}

/** The consignment as its last step has left it. */
async function end(id: string, parts: readonly Part[]): Promise<void> {
  stage.clock.forward(60_000);
  await stage.database.query(
    `update consignment set state = 'closed', account = 'main', shipment_number = '10045', due_at = null,
            version = version + 1, plan = $2::jsonb, parts = $3::jsonb, updated_at = $4 where id = $1`,
    [id, asJsonb({ plan: plan(['box-1', 'box-2']) }), asJsonb(parts), stage.clock.now()],
  );
  await registerEnded(stage.tracking);
}

const parcels = async () =>
  (await parcelsOfShipment(stage.database, '1', 's-1')).map(({ trackingNumber, status, endedAt, nextPollAt }) => ({
    trackingNumber,
    status,
    tracked: endedAt === null && nextPollAt !== null,
  }));

describe('a booking of which the carrier cancelled some parcels', () => {
  it('is tracked no more for these, and for the others as before', async () => {
    const id = await newConsignment();
    await end(id, [bookedPart(1), bookedPart(2)]);
    await end(id, [bookedPart(1, { state: 'cancelled' }), bookedPart(2)]);
    const expected = [
      { trackingNumber: 'T-box-1', status: 'cancelled', tracked: false },
      { trackingNumber: 'T-box-2', status: 'registered', tracked: true },
    ];
    expect(await parcels()).toEqual(expected);
    await end(id, [bookedPart(1, { state: 'cancelled' }), bookedPart(2)]);
    expect(await parcels()).toEqual(expected);
  });

  it('registers none of these', async () => {
    await end(await newConsignment(), [bookedPart(1, { state: 'cancelled' }), bookedPart(2)]);
    expect(await parcels()).toEqual([{ trackingNumber: 'T-box-2', status: 'registered', tracked: true }]);
  });

  it('goes on with a number that the carrier gave to the parcel again', async () => {
    const id = await newConsignment();
    await end(id, [bookedPart(1)]);
    await end(id, [bookedPart(1, { state: 'cancelled' }), bookedPart(1, { n: 3 })]);
    expect(await parcels()).toEqual([{ trackingNumber: 'T-box-1', status: 'registered', tracked: true }]);
  });
});
