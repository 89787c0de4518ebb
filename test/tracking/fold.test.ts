import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TRACKING_STATUSES, type TrackingStatus } from '../../carriers/contract/tracking.js';
import { type FoldedEvent, foldEvents, isEnd } from '../../src/tracking/fold.js';

const told = (status: TrackingStatus, minute: number, more: Partial<FoldedEvent> = {}): FoldedEvent => ({
  dedupe: `${status}-${minute}`,
  status,
  moment: new Date(Date.UTC(2026, 2, 4, 12, minute)),
  place: null,
  estimatedDelivery: null,
  trackingUrl: null,
  ...more,
});

describe('what the events of a parcel say together', () => {
  it.each<readonly [string, readonly FoldedEvent[], TrackingStatus]>([
    ['nothing was told', [], 'registered'],
    ['only something unknown was told', [told('unrecognised', 1)], 'registered'],
    ['something unknown came last', [told('in-transit', 1), told('unrecognised', 2)], 'in-transit'],
    ['a late "in transit" is newer than delivery', [told('delivered', 1), told('in-transit', 2)], 'delivered'],
    ['data came after the parcel', [told('handed-over', 1), told('registered', 2)], 'handed-over'],
    ['it left the terminal again', [told('delivery-failed', 1), told('out-for-delivery', 2)], 'out-for-delivery'],
    ['an older event comes late', [told('out-for-delivery', 2), told('in-transit', 1)], 'out-for-delivery'],
    ['it was lost and is delivered after all', [told('lost-or-damaged', 1), told('delivered', 2)], 'delivered'],
    ['it was cancelled with us and returned', [told('cancelled', 1), told('returned', 2)], 'returned'],
    ['two things happened at one moment', [told('at-pickup-point', 1), told('in-transit', 1)], 'at-pickup-point'],
  ])('when %s', (_case, events, status) => {
    expect(foldEvents(events).status).toBe(status);
    expect(foldEvents([...events].reverse()).status).toBe(status);
  });

  it('keeps the newest estimate and address that any event gives', () => {
    const events = [
      told('in-transit', 1, { estimatedDelivery: '2026-03-05', trackingUrl: 'https://carrier.example/1' }),
      told('in-transit', 2, { estimatedDelivery: '2026-03-06' }),
      told('delivered', 3, { place: 'Vejle' }),
    ];
    expect(foldEvents(events)).toMatchObject({
      estimatedDelivery: '2026-03-06',
      trackingUrl: 'https://carrier.example/1',
      place: 'Vejle',
    });
  });

  const anyEvent = fc.record({
    status: fc.constantFrom(...TRACKING_STATUSES),
    moment: fc.integer({ min: 0, max: 5 }).map((minute) => new Date(Date.UTC(2026, 2, 4, 12, minute))),
    dedupe: fc.constantFrom('a', 'b', 'c', 'd'),
    place: fc.constantFrom(null, 'Vejle', 'Taulov'),
    estimatedDelivery: fc.constantFrom(null, '2026-03-05'),
    trackingUrl: fc.constant(null),
  });
  // As the database keeps them: each key once.
  const anyEvents = fc.uniqueArray(anyEvent, { selector: (event) => event.dedupe, maxLength: 4 });

  it('is the same in any order', () => {
    const orders = anyEvents.chain((events) =>
      fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
    );
    fc.assert(
      fc.property(orders, ([events, others]) => {
        expect(foldEvents(others)).toEqual(foldEvents(events));
      }),
    );
  });

  it('never leaves an end, and never takes back what it has told', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const states = events.map((_event, count) => foldEvents(events.slice(0, count + 1)));
        states.slice(1).forEach((state, place) => {
          const before = states[place];
          if (before && isEnd(before.status)) expect(isEnd(state.status)).toBe(true);
          expect(state.seen).toEqual(expect.arrayContaining([...(before?.seen ?? [])]));
        });
      }),
    );
  });
});
