import { describe, expect, it } from '@jest/globals';
import { apply } from '../../src/consignment/machine/apply.js';
import type { Fact } from '../../src/consignment/machine/facts.js';
import { tryAgainLater } from '../../src/consignment/machine/retry-policy.js';
import { delayMs, openForMs } from '../../src/worker/backoff.js';
import { NOON, bookedPart, transitionContext, consignment, effect, part, plan } from '../support/consignments.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const postponedByIms = {
  kind: 'postponed',
  waitingFor: 'ims',
  because: 'no',
  retryAfterMs: null,
  claimed: false,
} as const;
const after = (ms: number) => new Date(NOON.getTime() + ms);

describe('the delay before the next try', () => {
  it.each<readonly [string, number, number | null, number, number]>([
    ['the first time', 0, null, 0, 250],
    ['the first time, with all of the jitter', 0, null, 1, 500],
    ['the fourth time', 3, null, 1, 4_000],
    ['after many attempts', 1_000, null, 1, 30_000],
    ['when the other side asks for less', 3, 1, 1, 4_000],
    ['when the other side asks for more', 0, 90_000, 0.5, 90_000],
    ['when the other side asks for a day', 0, DAY_MS, 0.5, 15 * MINUTE_MS],
  ])('is right %s', (_case, ...[attempts, asked, random, expected]) => {
    expect(delayMs(attempts, asked, random)).toBe(expected);
  });
});

describe('the time a carrier that does not answer is left alone', () => {
  it.each<readonly [string, number, number | null, number, number]>([
    ['at first', 0, null, 0, 5_000],
    ['after one more failure', 1, null, 0, 10_000],
    ['after many', 50, null, 1, 60_000],
    ['when it asks for more', 0, 30_000, 0, 30_000],
    ['when it asks for an hour', 0, 60 * MINUTE_MS, 0, 60_000],
  ])('is right %s', (_case, ...[failedProbes, asked, random, expected]) => {
    expect(openForMs(failedProbes, asked, random)).toBe(expected);
  });
});

describe('what waits', () => {
  it('counts a try when something was tried', () => {
    const waits = tryAgainLater(consignment({ attempts: 2 }), [{ retryAfterMs: 10_000 }], transitionContext());
    expect(waits).toMatchObject({ attempts: 3, dueAt: after(10_000), parkedUntil: null });
  });

  it('counts none while its carrier does not answer, and is parked until it is given up', () => {
    const parked = tryAgainLater(
      consignment({ attempts: 2 }),
      [{ retryAfterMs: 5_000, parked: true }],
      transitionContext(),
    );
    expect(parked).toMatchObject({ attempts: 2, dueAt: after(5_500), parkedUntil: after(30 * MINUTE_MS) });
  });

  it('is looked at once more when its time is over, whatever the other side asked for', () => {
    const late = transitionContext({ now: after(29 * MINUTE_MS) });
    const waits = tryAgainLater(consignment(), [{ retryAfterMs: 10 * MINUTE_MS }], late);
    expect(waits.dueAt).toEqual(after(30 * MINUTE_MS + 1));
  });
});

describe('what waits for the requests of a new day', () => {
  const newDayAt = new Date('2030-03-05T00:00:00Z');
  const midnight = { runStartedAt: new Date('2030-03-05T00:00:07.500Z'), dueAt: new Date('2030-03-05T00:00:07.500Z') };
  const late = transitionContext({ now: after(29 * MINUTE_MS) });

  it('counts no try, and its time from then, however long it was tried before', () => {
    const fact: Fact = { ...postponedByIms, newDayAt };
    const waits = apply(
      consignment({ claimed: true, attempts: 3 }),
      fact,
      transitionContext({ now: after(DAY_MS / 4) }),
    );
    expect(waits).toMatchObject({ ...midnight, state: 'received', attempts: 3, outcome: null, effects: [] });
  });

  it('keeps what was written of a wave, and gives nothing of the rest up', () => {
    const [written, open] = [effect('tracking:1'), effect('tracking:2')];
    const labelled = consignment({ state: 'labelled', claimed: true, effects: [written, open] });
    const results = [
      { key: written.key, state: 'done', note: null },
      { key: open.key, state: 'open', note: 'used up' },
    ] as const;
    const waits = apply(labelled, { kind: 'written', results, retryAfterMs: 1, newDayAt }, late);
    expect(waits).toMatchObject({ ...midnight, attempts: 0, effects: [{ state: 'done' }, { state: 'open' }] });
  });

  it('has its time from now on when somebody takes it up before', () => {
    const early = consignment({ ...midnight, claimed: true });
    const now = after(MINUTE_MS);
    const waits = apply(early, { ...postponedByIms, claimed: true }, transitionContext({ now }));
    expect(waits.runStartedAt).toEqual(now);
  });
});

describe('what is given up says what it waited for', () => {
  const late = transitionContext({ now: after(31 * MINUTE_MS) });
  const booking = consignment({ state: 'booking', plan: plan(['box-1', 'box-2']), claimed: true });
  const none = { ...booking, parts: [part(1)] };
  const some = { ...booking, parts: [bookedPart(1), part(2)] };
  const again = { ...booking, state: 'received' as const, run: 2, parts: [bookedPart(1)] };

  it.each<readonly [string, typeof booking, 'sibling' | 'limit' | 'carrier' | 'ims' | 'ims-key', string]>([
    ['another booking of the shipment', consignment({ claimed: true }), 'sibling', 'gave-up-sibling'],
    ['another booking, when it is tried again', again, 'sibling', 'gave-up-sibling'],
    ['its turn', none, 'limit', 'gave-up-limit'],
    ['the turn of its last parcels', some, 'limit', 'gave-up-limit-rest'],
    ['the carrier', none, 'carrier', 'gave-up'],
    ['the carrier with its last parcels', some, 'carrier', 'gave-up-rest'],
    ['the IMS', consignment({ claimed: true }), 'ims', 'gave-up-ims'],
    ['a new key', consignment({ claimed: true }), 'ims-key', 'gave-up-ims'],
    ['the IMS, when it is tried again', again, 'ims', 'gave-up-ims'],
  ])('for %s', (_case, ...[before, waitingFor, key]) => {
    const given = apply(before, { ...postponedByIms, waitingFor }, { ...late, canCancel: false });
    const said = given.effects.flatMap(({ call }) => (call.kind === 'message' ? [call.message] : []));
    expect([...said, ...given.shortfalls].map((message) => message.key)).toContain(key);
    expect(given.parts.filter(({ state }) => state === 'booked')).toEqual(
      before.parts.filter(({ state }) => state === 'booked'),
    );
  });
});

describe('what is postponed ends', () => {
  const booking = consignment({ state: 'booking', plan: plan(['box-1']), parts: [part(1)], claimed: true });
  const booked = { ...booking, state: 'booked' as const, parts: [bookedPart(1)] };
  const doubtful = { ...booking, state: 'in-doubt' as const, parts: [part(1, { state: 'in-doubt', attempt: 2 })] };
  const wish = { eventId: 'e-2', userId: 8, deviceName: null, by: 'document' as const };
  const unavailable = { n: 1, kind: 'unavailable', because: 'down', retryAfterMs: null } as const;
  const parked = {
    kind: 'postponed',
    waitingFor: 'carrier',
    because: 'down',
    retryAfterMs: 1,
    claimed: false,
  } as const;
  const ims = { ...parked, waitingFor: 'ims' } as const;

  it.each<readonly [string, typeof booking, Fact, number, object]>([
    ['a booking', booking, { kind: 'sent', results: [unavailable] }, 30, { outcome: 'refused' }],
    ['a booking that is parked', booking, { ...parked, parked: true }, 30, { outcome: 'refused' }],
    ['a booking in line', booking, { ...parked, waitingFor: 'limit' }, 30, { outcome: 'refused' }],
    ['a doubt', doubtful, { ...parked, parked: true }, 30, { needsOperator: true }],
    ['a label', booked, { kind: 'labels', results: [unavailable], file: { kind: 'none' } }, 30, { state: 'labelled' }],
    ['a document that is not ours yet', consignment(), ims, 24 * 60, { outcome: 'refused' }],
    ['a claimed document', consignment({ claimed: true }), ims, 30, { outcome: 'refused' }],
  ])('for %s', (_case, ...[before, fact, minutes, expected]) => {
    const inTime = apply(before, fact, transitionContext({ now: after(minutes * MINUTE_MS - 1) }));
    expect(inTime).toMatchObject({ state: before.state, needsOperator: false, outcome: null });
    const late = apply(before, fact, transitionContext({ now: after(minutes * MINUTE_MS + 1) }));
    expect(late).toMatchObject(expected);
    expect(late.effects.length + late.shortfalls.length).toBeGreaterThan(0);
  });

  it('in words about its account, and not about its carrier, where it waits for its account', () => {
    const waits = { ...parked, waitingFor: 'account', retryAfterMs: null } as const;
    const inTime = apply(booking, waits, transitionContext({ now: after(30 * MINUTE_MS - 1) }));
    expect(inTime.dueAt).toEqual(after(30 * MINUTE_MS + 1));
    const late = apply(booking, waits, transitionContext({ now: after(30 * MINUTE_MS + 1) }));
    expect(late).toMatchObject({ state: 'booking', outcome: null, effects: [] });
    expect(late.dueAt).not.toBeNull();
  });

  it('for a cancellation that was wished for, also while its carrier does not answer', () => {
    let now = NOON;
    let waits = consignment({ ...booked, state: 'closed', cancelRequest: wish });
    for (let attempts = 0; waits.cancelRequest !== null && attempts < 100; attempts += 1) {
      waits = apply(
        waits,
        { kind: 'cancelled', results: [{ ...unavailable, parked: true }] },
        transitionContext({ now }),
      );
      now = waits.dueAt ?? now;
    }
    expect(waits.effects.map((one) => one.call)).toContainEqual(
      expect.objectContaining({ message: expect.objectContaining({ key: 'cancel-unanswered' }) }),
    );
  });
});
