import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Consignment } from '../../src/consignment/consignment.js';
import { type TextsIn, reasonOf } from '../../src/operator/reason.js';
import { bookedPart, consignment, part, plan } from '../support/consignments.js';
import { textsIn } from './stage.js';

let texts: TextsIn;

beforeAll(async () => {
  texts = await textsIn();
});

const reason = (changes: Partial<Consignment>) =>
  reasonOf(consignment({ plan: plan(['box-1']), ...changes }), texts('en'));

describe('the reason of a booking that is under way', () => {
  it('is the lost answer, also while the carrier answers that it does not know the booking yet', () => {
    const lost = { state: 'in-doubt', parts: [part(1, { state: 'in-doubt' })], attempts: 3 } as const;
    expect(reason({ ...lost, waitingFor: null })).toMatch(/the answer was lost. We are finding out/);
    expect(reason({ ...lost, waitingFor: 'carrier' })).toMatch(/does not answer at the moment. We find out/);
  });

  it('is the account that this instance does not know, and not its carrier', () => {
    const waits = { state: 'planned', parts: [part(1)], waitingFor: 'account' } as const;
    expect(reason(waits)).toMatch(/the settings for .* are being changed.*Do not create the transport booking again/);
  });

  it('is the missing label, also while the carrier answers with one that is of no use', () => {
    const waits = { state: 'booked', parts: [bookedPart(1, { labels: 'missing' })], waitingFor: null } as const;
    expect(reason({ ...waits, attempts: 2 })).toMatch(/is booked with .*, but the label is not there yet/);
    expect(reason({ ...waits, attempts: 0 })).toBeNull();
  });
});
