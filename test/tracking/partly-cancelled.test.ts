import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Part } from '../../src/consignment/consignment.js';
import { asJsonb } from '../../src/db/json.js';
import { parcelsOfShipment } from '../../src/tracking/parcels/parcel-rows.js';
import { registerEnded } from '../../src/tracking/parcels/register.js';
import { bookedPart, part, plan } from '../support/consignments.js';
import { type Stage, endBooked, insertReceived, trackingStage } from './tracking-stage.js';

let stage: Stage;

beforeAll(async () => {
  stage = await trackingStage(async () => []);
});

afterAll(() => stage.database.close());

beforeEach(() => stage.database.script('truncate consignment, tracked_parcel, tracking_event cascade'));

const newConsignment = () => insertReceived(stage);

/** The consignment as its last step has left it. */
const end = (id: string, parts: readonly Part[]) => endBooked(stage, id, { plan: plan(['box-1', 'box-2']), parts });

/** As `end`, of a consignment that was planned after the first. */
const endLater = (id: string, parts: readonly Part[]) =>
  endBooked(stage, id, { plan: { ...plan(['box-1', 'box-2']), turn: 2 }, parts });

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

  it('ends no parcel of a later booking that has the number now', async () => {
    const earlier = await newConsignment();
    await end(earlier, [bookedPart(1), bookedPart(2)]);
    await end(earlier, [bookedPart(1, { state: 'cancelled' }), bookedPart(2)]);
    stage.clock.forward(60_000);
    await endLater(await newConsignment(), [bookedPart(1)]);
    const expected = [
      { trackingNumber: 'T-box-1', status: 'cancelled', tracked: false },
      { trackingNumber: 'T-box-2', status: 'registered', tracked: true },
      { trackingNumber: 'T-box-1', status: 'registered', tracked: true },
    ];
    expect(await parcels()).toEqual(expected);
    await end(earlier, [bookedPart(1, { state: 'cancelled' }), bookedPart(2)]);
    expect(await parcels()).toEqual(expected);
  });

  it('ends no parcel of a later booking that was asked for before the cancellation', async () => {
    const earlier = await newConsignment();
    await end(earlier, [bookedPart(1), bookedPart(2)]);
    const later = await newConsignment();
    await end(earlier, [bookedPart(1, { state: 'cancelled' }), bookedPart(2)]);
    await endLater(later, [bookedPart(1)]);
    expect(await parcels()).toEqual([
      { trackingNumber: 'T-box-1', status: 'cancelled', tracked: false },
      { trackingNumber: 'T-box-2', status: 'registered', tracked: true },
      { trackingNumber: 'T-box-1', status: 'registered', tracked: true },
    ]);
  });

  it('ends a parcel that it took over and that is registered with the booking before it', async () => {
    const earlier = await newConsignment();
    await end(earlier, [bookedPart(1), bookedPart(2)]);
    await endLater(await newConsignment(), [bookedPart(1, { state: 'cancelled' }), bookedPart(2)]);
    expect(await parcels()).toEqual([
      { trackingNumber: 'T-box-1', status: 'cancelled', tracked: false },
      { trackingNumber: 'T-box-2', status: 'registered', tracked: true },
    ]);
  });

  it('stays so when the booking is looked at again from which a later one took them over', async () => {
    const earlier = await newConsignment();
    await end(earlier, [bookedPart(1), bookedPart(2)]);
    const later = await newConsignment();
    await endLater(later, [bookedPart(1), bookedPart(2)]);
    await endLater(later, [bookedPart(1, { state: 'cancelled' }), bookedPart(2)]);
    const expected = [
      { trackingNumber: 'T-box-1', status: 'cancelled', tracked: false },
      { trackingNumber: 'T-box-2', status: 'registered', tracked: true },
    ];
    expect(await parcels()).toEqual(expected);
    stage.clock.forward(60_000);
    await stage.database.query(
      "update consignment set state = 'incomplete', version = version + 1, updated_at = $2 where id = $1",
      [earlier, stage.clock.now()],
    );
    await registerEnded(stage.tracking);
    expect(await parcels()).toEqual(expected);
  });

  it('is tracked no more for these when a person left the others in doubt', async () => {
    const id = await newConsignment();
    const inDoubt = part(2, { state: 'in-doubt', attempt: 1, sentAt: '2026-03-04T06:00:00Z' });
    await end(id, [bookedPart(1), inDoubt]);
    stage.clock.forward(60_000);
    // A cancellation ends as `refused` while an outcome is in doubt.
    await stage.database.query(
      `update consignment set state = 'refused', parts = $2::jsonb, version = version + 1, updated_at = $3 where id = $1`,
      [id, asJsonb([bookedPart(1, { state: 'cancelled' }), inDoubt]), stage.clock.now()],
    );
    await registerEnded(stage.tracking);
    expect(await parcels()).toEqual([{ trackingNumber: 'T-box-1', status: 'cancelled', tracked: false }]);
  });
});
