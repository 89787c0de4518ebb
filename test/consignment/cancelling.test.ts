import { describe, expect, it } from '@jest/globals';
import type { Consignment, Part } from '../../src/consignment/consignment.js';
import { apply } from '../../src/consignment/machine/apply.js';
import type { CancelResult } from '../../src/consignment/machine/facts.js';
import { bookedPart, consignment, plan, transitionContext } from '../support/consignments.js';

const WISH = { eventId: 'e-2', userId: null, deviceName: null, by: 'document' } as const;

const closed = (...parts: readonly Part[]): Consignment =>
  consignment({ state: 'closed', plan: plan(parts.map(({ n }) => `box-${n}`)), parts, cancelRequest: WISH });

const answered = (before: Consignment, ...results: readonly CancelResult[]) =>
  apply(before, { kind: 'cancelled', results }, transitionContext());

const messages = ({ effects }: Consignment) =>
  effects.flatMap(({ call }) => (call.kind === 'message' ? [call.message] : []));

/** Its parcel is booked without a number. */
const unnumbered = (n: number, changes: Partial<Part> = {}) =>
  bookedPart(n, { booking: { carrierNumber: null, parcels: [], labelSource: null }, ...changes });

describe('a cancellation of which only a part is cancelled', () => {
  it.each<[string, Part, string]>([
    ['its number', bookedPart(2), 'T-box-2'],
    [
      'a number that was not believed, as it was given',
      unnumbered(2, { unusable: [{ parcelId: 'box-2', given: '12 34', because: 'form' }] }),
      '12 34',
    ],
    ['its reference where no number is known', unnumbered(2), '10045-2'],
  ])('names what is still booked by %s', (_by, left, remaining) => {
    const after = answered(closed(bookedPart(1), left), { n: 1, kind: 'cancelled' }, { n: 2, kind: 'not-possible' });
    expect(messages(after)).toMatchObject([{ key: 'cancel-partly', values: { cancelled: 'T-box-1', remaining } }]);
  });
});
