import { describe, expect, it } from '@jest/globals';
import type { Consignment, Part } from '../../src/consignment/consignment.js';
import { apply } from '../../src/consignment/machine/apply.js';
import type { Fact } from '../../src/consignment/machine/facts.js';
import { withLateNumbers } from '../../src/consignment/machine/late-numbers.js';
import { bookedPart, transitionContext, consignment, part, plan } from '../support/consignments.js';

const PLAN = plan(['box-1', 'box-2']);

/** The carrier's answer to a part, under these numbers. */
function answer(n: number, ...trackingNumbers: readonly string[]): Fact {
  const parcels = trackingNumbers.map((trackingNumber) => ({
    ...{ kind: 'booked' as const, parcelId: `box-${n}`, trackingNumber, trackingUrl: null },
  }));
  const booking = { carrierNumber: null, parcels, labelSource: null };
  return { kind: 'sent', results: [{ n, kind: 'booked', booking, labels: 'missing' }] };
}

function row(state: Consignment['state'], ...parts: readonly Part[]): Consignment {
  return consignment({ state, plan: PLAN, parts, claimed: true });
}

const told = ({ effects }: Consignment) =>
  effects.flatMap(({ call }) => (call.kind === 'message' ? [call.message] : []));

describe('a late answer with numbers that are not known', () => {
  it.each<readonly [string, Consignment, string]>([
    ['is the only booking of what was refused', row('refused', part(1, { state: 'refused' })), 'late-answer-only'],
    [
      'is the only booking left of what was cancelled',
      row('cancelled', bookedPart(1, { state: 'cancelled' })),
      'late-answer-only',
    ],
    [
      'is the only booking of its parcel, when another parcel is booked',
      row('incomplete', part(1, { state: 'refused' }), bookedPart(2)),
      'late-answer-only',
    ],
    ['is perhaps one of two, when its parcel has another number', row('closed', bookedPart(1)), 'late-answer'],
    ['is perhaps one of two, when it is sent again', row('booking', part(1, { attempt: 2 })), 'late-answer-open'],
    [
      'is perhaps one of two, when it was ended in doubt',
      row('refused', part(1, { state: 'in-doubt', attempt: 2 })),
      'late-answer-open',
    ],
  ])('%s', (_what, before, key) => {
    expect(told(withLateNumbers(before, answer(1, 'LATE-1'))).map((message) => message.key)).toEqual([key]);
  });

  it('changes nothing but what is to be told', () => {
    const before = row('booking', part(1, { attempt: 2 }));
    expect({ ...withLateNumbers(before, answer(1, 'LATE-1')), effects: [] }).toEqual({ ...before, effects: [] });
  });

  it('is told once, however often it is written', () => {
    const once = withLateNumbers(row('closed', bookedPart(1)), answer(1, 'LATE-1'));
    expect(withLateNumbers(once, answer(1, 'LATE-1'))).toBe(once);
  });

  it('is told beside another one of the same run, as an effect with a key of its own', () => {
    const first = withLateNumbers(row('closed', bookedPart(1)), answer(1, 'LATE-1'));
    const both = withLateNumbers(first, answer(1, 'LATE-2'));
    expect(told(both).map(({ values }) => values)).toMatchObject([{ late: 'LATE-1' }, { late: 'LATE-2' }]);
    expect(new Set(both.effects.map(({ key }) => key)).size).toBe(2);
  });
});

it('a message that went out on the way leaves what is told at the end to the end', () => {
  const before = withLateNumbers(row('booking', part(1, { attempt: 2 })), answer(1, 'LATE-1'));
  const results = before.effects.map(({ key }) => ({ key, state: 'done' as const, note: null }));
  const now = transitionContext().now;
  const after = apply(before, { kind: 'written', results, retryAfterMs: 0 }, transitionContext());
  expect([after.state, after.dueAt, after.effects.map(({ call }) => call.kind)]).toEqual(['booking', now, ['message']]);
});
