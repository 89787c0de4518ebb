import { beforeAll, describe, expect, it } from '@jest/globals';
import { areaTexts } from '../../src/areas/area-texts.js';
import type { Consignment } from '../../src/consignment/consignment.js';
import { bookedBeside } from '../../src/consignment/machine/beside.js';
import { loadMessages } from '../../src/messages/messages.js';
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

describe('an earlier booking that stays booked beside a newer one', () => {
  const told = bookedBeside(consignment({ bookedOn: 'delivery-note', plan: plan(['box-1']), parts: [bookedPart(1)] }));

  it('is named by its own document to operators, whatever asked for the newer one', () => {
    const newer = { area: '1', bookedOn: 'transport-booking' } as const;
    expect(texts('en').text(told, newer)).toMatch(/^An earlier delivery note of shipment/);
    expect(texts('da').text(told, newer)).toMatch(/^En tidligere følgeseddel af forsendelse/);
  });

  it('is named by its own document to workers', async () => {
    const messages = await loadMessages('templates/ims');
    const { text } = areaTexts(messages, { language: 'en', bookOn: 'transport-booking' });
    expect(text(told, 'transport-booking')).toMatch(/^An earlier delivery note of shipment/);
  });
});

it.each([
  ['books on delivery notes', '2', /Do not create the delivery note again/],
  ['books on transport bookings', '1', /Do not create the transport booking again/],
  ['is not configured any more', '9', /Do not create the transport booking again/],
])(
  'the reason of a booking that no document asked for names the document of its area, which %s',
  (_what, area, words) => {
    const waits = { state: 'planned', parts: [part(1)], waitingFor: 'account' } as const;
    expect(reason({ ...waits, area, bookedOn: 'packing-completed' })).toMatch(words);
  },
);
