import { describe, expect, it } from '@jest/globals';
import type { Consignment } from '../../src/consignment/consignment.js';
import { apply } from '../../src/consignment/machine/apply.js';
import { applyResolution } from '../../src/consignment/machine/operator.js';
import type { Fact } from '../../src/consignment/machine/facts.js';
import { NOON, bookedPart, consignment, part, plan, transitionContext } from '../support/consignments.js';

const LATE = new Date(NOON.getTime() + 31 * 60_000);
const unavailable = (n: number): Fact => ({
  kind: 'sent',
  results: [{ n, kind: 'unavailable', because: 'status 503', retryAfterMs: null }],
});
const postponed = (waitingFor: 'ims' | 'sibling'): Fact => ({
  ...{ kind: 'postponed', waitingFor, because: 'no answer', retryAfterMs: null, claimed: true },
});

const planned = (...parts: Consignment['parts']) =>
  consignment({ state: 'planned', plan: plan(['box-1', 'box-2']), parts });

const looksForOthers = ({ effects }: Consignment) => effects.some(({ call }) => call.kind === 'still-booked-notice');

describe('a booking that ends without a parcel looks for other bookings of its shipment to tell of', () => {
  it.each<[string, Consignment, Fact]>([
    ['that it gives up on its carrier', planned(part(1)), unavailable(1)],
    ['that the warehouse system does not say what to book', consignment({ claimed: true }), postponed('ims')],
    ['that another booking of the shipment does not end', consignment({ claimed: true }), postponed('sibling')],
  ])('where the reason is %s', (_reason, before, fact) => {
    const after = apply(before, fact, transitionContext({ now: LATE }));
    expect(after.outcome).toBe('refused');
    expect(looksForOthers(after)).toBe(true);
  });

  const inDoubt = (...parts: Consignment['parts']) => {
    const plannedFor = plan(['box-1', 'box-2']);
    return consignment({ state: 'in-doubt', needsOperator: true, dueAt: null, plan: plannedFor, parts });
  };

  it('where a person ends it in doubt', () => {
    const after = applyResolution(inDoubt(part(1, { state: 'in-doubt', attempt: 1 })), { answer: 'give-up' }, LATE);
    expect(after.state).toBe('refused');
    expect(looksForOthers(after)).toBe(true);
  });

  it('not where a person ends it beside parcels that are booked', () => {
    const before = inDoubt(bookedPart(1), part(2, { state: 'in-doubt', attempt: 1 }));
    expect(looksForOthers(applyResolution(before, { answer: 'give-up' }, LATE))).toBe(false);
  });

  it('not where some of its own parcels are booked', () => {
    const after = apply(planned(bookedPart(1), part(2)), unavailable(2), transitionContext({ now: LATE }));
    expect(looksForOthers(after)).toBe(false);
  });
});
