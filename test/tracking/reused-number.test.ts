import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TrackingStatus } from '../../carriers/contract/tracking.js';
import { applyEvents } from '../../src/tracking/events/apply-events.js';
import { lastSaid } from '../../src/tracking/events/tracking-event-rows.js';
import { createRetention } from '../../src/tracking/parcels/retention.js';
import { parcelsByNumber } from '../../src/tracking/parcels/parcel-rows.js';
import { follow } from '../../src/tracking/parcels/register.js';
import { event } from './callers.js';
import { type Stage, newParcel, trackingStage } from './tracking-stage.js';

const DAY_MS = 24 * 3_600_000;

let stage: Stage;

beforeAll(async () => {
  stage = await trackingStage(async () => []);
});

afterAll(() => stage.database.close());

beforeEach(() => stage.database.script('truncate tracked_parcel, tracking_event, tracking_outbox'));

async function book(consignmentId: string, containerId: string): Promise<void> {
  const now = stage.clock.now();
  const parcel = newParcel('1', { consignmentId, containerId, bookedAt: now, registeredAt: now, nextPollAt: null });
  await stage.database.transaction((sql) => follow(sql, [parcel], { options: stage.tracking.options, now }));
  stage.clock.forward(60_000);
}

async function tell(status: TrackingStatus, at = stage.clock.now(), text: string | null = null): Promise<void> {
  const said = event({ trackingNumber: '1', status, at: at.toISOString(), text });
  const context = { options: stage.tracking.options, now: stage.clock.now() };
  await stage.database.transaction((sql) => applyEvents(sql, [{ account: 'main', event: said }], context));
  stage.clock.forward(60_000);
}

const parcels = async () =>
  (await parcelsByNumber(stage.database, '1')).map(({ consignmentId, status, endedAt }) => ({
    ...{ consignmentId, status, ended: endedAt !== null },
  }));

const messages = () =>
  stage.database.query(
    `select p.consignment_id, n.status from tracking_outbox n join tracked_parcel p on p.id = n.parcel_id
      where n.kind = 'message' order by n.id`,
  );

describe('a number that the carrier uses again', () => {
  it('begins anew with the booking that has it now, and is told of again', async () => {
    await book('old', 'box-1');
    await tell('delivery-failed', stage.clock.now(), 'the old one');
    await tell('delivered');
    const old = stage.clock.now();
    stage.clock.forward(300 * DAY_MS);
    await book('new', 'box-2');
    expect(await parcels()).toEqual([
      { consignmentId: 'old', status: 'delivered', ended: true },
      { consignmentId: 'new', status: 'registered', ended: false },
    ]);
    // Late, and of the old one.
    await tell('returned', old);
    await tell('delivery-failed', stage.clock.now(), 'the new one');
    expect(await parcels()).toMatchObject([{ status: 'delivered' }, { status: 'delivery-failed', ended: false }]);
    expect(await messages()).toEqual([
      { consignment_id: 'old', status: 'delivery-failed' },
      { consignment_id: 'old', status: 'delivered' },
      { consignment_id: 'new', status: 'delivery-failed' },
    ]);
    const [, parcel] = await parcelsByNumber(stage.database, '1');
    if (!parcel) throw new Error('no parcel');
    expect(await lastSaid(stage.database, parcel, 'delivery-failed')).toMatchObject({ text: 'the new one' });
  });

  it('stays with the booking that has it now when the old one is looked at again', async () => {
    await book('old', 'box-1');
    await tell('delivered');
    await book('new', 'box-2');
    await book('old', 'box-1');
    expect(await parcels()).toEqual([
      { consignmentId: 'old', status: 'delivered', ended: true },
      { consignmentId: 'new', status: 'registered', ended: false },
    ]);
  });

  it('is the same parcel when a later booking takes over its container, also after its end', async () => {
    await book('first', 'box-1');
    await tell('delivered');
    await book('second', 'box-1');
    expect(await parcels()).toEqual([{ consignmentId: 'second', status: 'delivered', ended: true }]);
  });

  it('is another parcel when the first booking was cancelled', async () => {
    await book('first', 'box-1');
    await tell('cancelled');
    await book('second', 'box-1');
    expect(await parcels()).toEqual([
      { consignmentId: 'first', status: 'cancelled', ended: true },
      { consignmentId: 'second', status: 'registered', ended: false },
    ]);
  });
});

describe('a parcel that ended long ago', () => {
  it('is forgotten after 400 days, with its events and what was told; one of yesterday is not', async () => {
    await book('old', 'box-1');
    await tell('delivered');
    stage.clock.forward(399 * DAY_MS);
    const applyRetention = createRetention(stage.tracking);
    await applyRetention();
    expect(await parcels()).toHaveLength(1);
    stage.clock.forward(2 * DAY_MS);
    while (await applyRetention());
    await applyRetention();
    for (const table of ['tracked_parcel', 'tracking_event', 'tracking_outbox'])
      expect(await stage.database.query(`select from ${table}`)).toEqual([]);
  });
});
