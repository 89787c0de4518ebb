import { describe, expect, it } from '@jest/globals';
import type { Consignment } from '../../src/consignment/consignment.js';
import { END_STATES } from '../../src/consignment/states.js';
import { type NextStep, nextStep } from '../../src/consignment/machine/next-step.js';
import { bookedPart, consignment, effect, part } from '../support/consignments.js';

const WISH = { eventId: 'e-2', userId: null, deviceName: null, by: 'document' } as const;
const sending = part(1, { state: 'sending', attempt: 1 });
const toRepeat = part(1, { attempt: 1, quietFrom: '2030-03-04T12:00:00.000Z' });

describe('what is done next', () => {
  it.each<[string, Partial<Consignment>, NextStep]>([
    ['asks the IMS about what has just arrived', {}, { kind: 'prepare' }],
    [
      'sends the first part alone',
      { state: 'planned', parts: [part(1), part(2), part(3)] },
      { kind: 'book', parts: [1] },
    ],
    [
      'sends one part after the other',
      { state: 'booking', parts: [bookedPart(1), part(2), part(3)] },
      { kind: 'book', parts: [2] },
    ],
    [
      'finds out about a part that somebody was sending',
      { state: 'booking', parts: [sending] },
      { kind: 'find-outcome', part: 1 },
    ],
    [
      'clears a doubt before anything else is sent',
      { state: 'booking', parts: [part(1), part(2, { state: 'in-doubt' })] },
      { kind: 'find-outcome', part: 2 },
    ],
    ['clears a doubt before it cancels', { cancelRequest: WISH, parts: [sending] }, { kind: 'find-outcome', part: 1 }],
    [
      'repeats what may be booked already before it says that there is nothing to cancel',
      { state: 'booking', cancelRequest: WISH, parts: [toRepeat] },
      { kind: 'book', parts: [1] },
    ],
    ['fetches the labels of what is booked', { state: 'booked', parts: [bookedPart(1)] }, { kind: 'fetch-labels' }],
    [
      'ends what has nothing to be written',
      { state: 'labelled', parts: [bookedPart(1)] },
      { kind: 'write', effects: [] },
    ],
    ['cancels what is booked', { state: 'closed', cancelRequest: WISH, parts: [bookedPart(1)] }, { kind: 'cancel' }],
    [
      'has nothing to cancel before anything was sent',
      { state: 'planned', cancelRequest: WISH, parts: [part(1)] },
      { kind: 'nothing-to-cancel' },
    ],
    [
      'takes back what was booked beside a refused part',
      { state: 'cancelling', compensating: true, parts: [bookedPart(1)] },
      { kind: 'cancel' },
    ],
    [
      'has taken everything back',
      { state: 'cancelling', compensating: true, parts: [bookedPart(1, { state: 'cancelled' })] },
      { kind: 'nothing-to-cancel' },
    ],
    [
      'waits for a person, wish or no wish',
      { state: 'in-doubt', needsOperator: true, cancelRequest: WISH, parts: [sending] },
      { kind: 'rest' },
    ],
  ])('%s', (_case, changes, step) => {
    expect(nextStep(consignment(changes))).toEqual(step);
  });

  it.each(END_STATES.map((state) => [state]))('rests when it is %s', (state) => {
    expect(nextStep(consignment({ state, parts: [bookedPart(1), part(2)] }))).toEqual({ kind: 'rest' });
  });

  it('writes the first wave that is open, all of it, before anything else', () => {
    const [late, first, second, done] = [
      effect('late', { wave: 9 }),
      effect('first', { wave: 8 }),
      effect('second', { wave: 8, state: 'sent' }),
      effect('done', { state: 'done' }),
    ];
    const busy = consignment({ effects: [late, first, second, done], cancelRequest: WISH, parts: [sending] });
    expect(nextStep(busy)).toEqual({ kind: 'write', effects: [first, second] });
  });
});
