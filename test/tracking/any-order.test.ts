import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TRACKING_STATUSES, type TrackingEvent } from '../../carriers/contract/tracking.js';
import { applyEvents, lockTracking } from '../../src/tracking/apply-events.js';
import { bringUpToDate } from '../../src/tracking/apply-events.js';
import { event } from './callers.js';
import { type Stage, known, newParcel, register, trackingStage } from './tracking-stage.js';

const RUNS = 60;

let stage: Stage;

beforeAll(async () => {
  stage = await trackingStage(async () => []);
});

afterAll(() => stage.database.close());

beforeEach(() => clear());

async function clear(): Promise<void> {
  await stage.database.script('truncate tracked_parcel, tracking_event, tracking_notice');
}

async function apply(events: readonly TrackingEvent[]): Promise<void> {
  const { wishes } = stage.tracking;
  stage.clock.forward(1_000);
  const given = events.map((each) => ({ account: 'main', event: each }));
  await stage.database.transaction(async (sql) => {
    await lockTracking(sql);
    await applyEvents(sql, given, { wishes, now: stage.clock.now() });
  });
}

async function begin(): Promise<void> {
  const keys = ['1', '2'].map((trackingNumber) => ({ account: 'main', trackingNumber }));
  await register(stage, [newParcel('1'), newParcel('2', { trackingUrl: 'https://carrier.example/2' })]);
  await bringUpToDate(stage.database, keys, { wishes: stage.tracking.wishes, now: stage.clock.now() });
}

const anyEvent = fc
  .record({
    trackingNumber: fc.constantFrom('1', '2'),
    status: fc.constantFrom(...TRACKING_STATUSES),
    minute: fc.integer({ min: 10, max: 14 }),
    zone: fc.constantFrom('+01:00', 'Z'),
    place: fc.constantFrom(null, 'Vejle'),
    trackingUrl: fc.constantFrom(null, 'https://carrier.example/found'),
    hasId: fc.boolean(),
  })
  .map(({ minute, zone, hasId, ...rest }) => {
    const at = `2026-03-04T12:${minute}:00${zone}`;
    // One event of a carrier has one code, one place and one address, however often it is told.
    return event({ ...rest, at, code: rest.status, id: hasId ? JSON.stringify([rest, at]) : null });
  });

/** The same events: in order, each once; and shuffled, repeated, in batches, with the parcel registered in between. */
const anyStory = fc
  .uniqueArray(anyEvent, {
    maxLength: 8,
    selector: ({ trackingNumber, status, at, place }) => [trackingNumber, status, at, place].join(),
  })
  .chain((events) =>
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
  }, 120_000);

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

  it('are told anew when a code that was not recognised is', async () => {
    await begin();
    const unknown = event({ trackingNumber: '1', status: 'unrecognised', code: 'X9', id: 'x' });
    await apply([unknown]);
    expect(await known(stage)).toMatchObject({ parcels: [{ status: 'registered' }, {}], notices: [] });
    await apply([{ ...unknown, status: 'lost-or-damaged' }]);
    expect(await known(stage)).toMatchObject({ parcels: [{ status: 'lost-or-damaged' }, {}], notices: [{}] });
  });
});
