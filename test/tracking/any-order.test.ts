import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TRACKING_STATUSES, type TrackingEvent } from '../../carriers/contract/tracking.js';
import { applyEvents, lockTracking } from '../../src/tracking/events/apply-events.js';
import { bringUpToDate } from '../../src/tracking/events/apply-events.js';
import { lastSaid } from '../../src/tracking/events/tracking-event-rows.js';
import { event } from './callers.js';
import { type Stage, known, newParcel, register, trackingStage } from './tracking-stage.js';
import { propertyRuns } from '../support/property-runs.js';

const RUNS = propertyRuns(150);

let stage: Stage;

beforeAll(async () => {
  stage = await trackingStage(async () => []);
});

afterAll(() => stage.database.close());

beforeEach(() => clear());

async function clear(): Promise<void> {
  await stage.database.script('truncate tracked_parcel, tracking_event, tracking_outbox');
}

async function apply(events: readonly TrackingEvent[]): Promise<void> {
  const { options } = stage.tracking;
  stage.clock.forward(1_000);
  const given = events.map((each) => ({ account: 'main', event: each }));
  await stage.database.transaction(async (sql) => {
    await lockTracking(sql);
    await applyEvents(sql, given, { options, now: stage.clock.now() });
  });
}

async function begin(): Promise<void> {
  const keys = ['1', '2'].map((trackingNumber) => ({ account: 'main', trackingNumber }));
  await register(stage, [newParcel('1'), newParcel('2', { trackingUrl: 'https://carrier.example/2' })]);
  await bringUpToDate(stage.database, keys, { options: stage.tracking.options, now: stage.clock.now() });
}

/** Nothing in it depends on anything else: carriers send one id, or one code, with several statuses. */
const anyEvent = fc
  .record({
    trackingNumber: fc.constantFrom('1', '2'),
    status: fc.constantFrom(...TRACKING_STATUSES),
    minute: fc.integer({ min: 10, max: 12 }),
    zone: fc.constantFrom('+01:00', 'Z'),
    place: fc.constantFrom(null, 'Vejle', 'Odense'),
    text: fc.constantFrom(null, 'Something happened'),
    code: fc.constantFrom(null, 'A', 'B'),
    estimatedDelivery: fc.constantFrom(null, '2026-03-05', '2026-03-06'),
    trackingUrl: fc.constantFrom(null, 'https://carrier.example/found', 'https://carrier.example/other'),
    id: fc.constantFrom(null, null, 'x', 'y'),
  })
  .map(({ minute, zone, ...rest }) => event({ ...rest, at: `2026-03-04T12:${minute}:00${zone}` }));

/** The same events: in order, each once; and shuffled, repeated, in batches, with the parcel registered in between. */
const anyStory = fc.array(anyEvent, { maxLength: 8 }).chain((events) =>
  fc.record({
    events: fc.constant(events),
    told: fc
      .tuple(fc.shuffledSubarray(events, { minLength: events.length }), fc.subarray([...events, ...events]))
      .chain(([all, again]) => fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length })),
    atOnce: fc.integer({ min: 1, max: 4 }),
    registeredAfter: fc.integer({ min: 0, max: 8 }),
  }),
);

describe("a parcel's events in any order, any number of times", () => {
  it('lead to the same state and the same messages', async () => {
    await fc.assert(
      fc.asyncProperty(anyStory, async ({ events, told, atOnce, registeredAfter }) => {
        await clear();
        await begin();
        for (const each of events) await apply([each]);
        const expected = await known(stage);
        await clear();
        for (let from = 0; from < told.length; from += atOnce) {
          if (from <= registeredAfter && registeredAfter < from + atOnce) await begin();
          await apply(told.slice(from, from + atOnce));
        }
        await begin();
        expect(await known(stage)).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  it('give one message for each status, however often it is told', async () => {
    await begin();
    for (const minute of [10, 11, 12, 13])
      await apply([event({ trackingNumber: '1', status: 'delivery-failed', at: `2026-03-04T12:${minute}:00Z` })]);
    await apply([event({ trackingNumber: '1', status: 'returned', at: '2026-03-04T12:30:00Z' })]);
    expect((await known(stage)).notices).toEqual([
      { tracking_number: '1', kind: 'message', status: 'delivery-failed' },
      { tracking_number: '1', kind: 'message', status: 'returned' },
    ]);
  });

  it('count all, when one id or one moment is told with several statuses, in one call or in several', async () => {
    const said = (status: TrackingEvent['status'], id: string | null) => event({ trackingNumber: '1', status, id });
    const stories: readonly (readonly (readonly TrackingEvent[])[])[] = [
      [[said('delivered', 'x'), said('unrecognised', 'x')]],
      [[said('unrecognised', 'x'), said('delivered', 'x')]],
      [[said('delivered', 'x')], [said('unrecognised', 'x')]],
      [[said('out-for-delivery', null)], [said('delivered', null)]],
      [[said('delivered', null)], [said('out-for-delivery', null)]],
      [[said('out-for-delivery', null), said('delivered', null)]],
    ];
    for (const story of stories) {
      await clear();
      await begin();
      for (const events of story) await apply(events);
      expect(await known(stage)).toMatchObject({ parcels: [{ status: 'delivered', ended: true }, {}] });
    }
  });

  it('say the words of one telling and the place of another', async () => {
    await begin();
    const bare = event({ trackingNumber: '1', status: 'returned', id: 'x' });
    const worded = { ...bare, text: 'Refused by the recipient', place: 'Vejle' };
    await apply([worded]);
    await apply([bare]);
    await apply([{ ...bare, estimatedDelivery: '2026-03-09' }]);
    expect(await known(stage)).toMatchObject({ parcels: [{ place: 'Vejle', estimated_delivery: '2026-03-09' }, {}] });
    const said = await lastSaid(stage.database, { account: 'main', trackingNumber: '1' }, 'returned');
    expect(said).toMatchObject({ text: 'Refused by the recipient', place: 'Vejle' });
  });

  it('are told anew when a code that was not recognised is', async () => {
    await begin();
    const unknown = event({ trackingNumber: '1', status: 'unrecognised', code: 'X9', id: 'x' });
    await apply([unknown]);
    expect(await known(stage)).toMatchObject({ parcels: [{ status: 'registered' }, {}], notices: [] });
    await apply([{ ...unknown, status: 'lost-or-damaged' }]);
    expect(await known(stage)).toMatchObject({ parcels: [{ status: 'lost-or-damaged' }, {}], notices: [{}] });
  });
});
