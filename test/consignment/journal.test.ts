import { describe, expect, it } from '@jest/globals';
import type { Fact } from '../../src/consignment/machine/facts.js';
import { journalEntries } from '../../src/consignment/journal.js';
import { sampleRecipient } from '../carriers/sample-request.js';
import { bookedPart, consignment, part, plan } from '../support/consignments.js';

const { address, contact } = sampleRecipient;
const PERSONAL = [address.name, address.street, address.postalCode, contact.email, contact.mobile].filter(
  (one) => one !== null,
);
const QUOTING = `no such street: ${PERSONAL.join(', ')}`;
const problem = { code: 'A1', text: QUOTING, parcelId: null };
const { booking } = bookedPart(1);
if (!booking) throw new Error('it is booked');

const facts: readonly (readonly [string, Fact])[] = [
  [
    'a shipment was planned',
    {
      kind: 'prepared',
      plan: plan(['box-1']),
      reference: '10045',
      shipmentId: 's-1',
      shipmentNumber: '10045',
      requests: [{ n: 1, request: part(1).request }],
      claimed: true,
      takenOver: [],
      snapshot: { shipmentId: 's-1', others: '' },
    },
  ],
  ['a document is not ours', { kind: 'skipped', because: QUOTING }],
  [
    'a shipment cannot be booked',
    {
      kind: 'unusable',
      messages: [{ key: 'shipment-unusable', values: { shipmentNumber: '10045', problems: QUOTING } }],
      claimed: true,
      shipmentNumber: '10045',
    },
  ],
  ['it has to wait', { kind: 'postponed', waitingFor: 'carrier', because: QUOTING, retryAfterMs: null, claimed: true }],
  ['the carrier booked', { kind: 'sent', results: [{ n: 1, kind: 'booked', booking, labels: 'missing' }] }],
  [
    'the carrier refused',
    { kind: 'sent', results: [{ n: 1, kind: 'rejected', problems: [problem], because: 'data' }] },
  ],
  ['the answer was lost', { kind: 'sent', results: [{ n: 1, kind: 'unknown', because: QUOTING }] }],
  [
    'the carrier was down',
    { kind: 'sent', results: [{ n: 1, kind: 'unavailable', because: QUOTING, retryAfterMs: null }] },
  ],
  ['the carrier was asked', { kind: 'looked-up', n: 1, result: { kind: 'found', booking, unmatched: [] } }],
  [
    'there is no label',
    { kind: 'labels', results: [{ n: 1, kind: 'not-to-be-had', problems: [problem] }], file: { kind: 'none' } },
  ],
  ['it was not cancelled', { kind: 'cancelled', results: [{ n: 1, kind: 'refused', problems: [problem] }] }],
  [
    'something was not written',
    { kind: 'written', results: [{ key: 'print:1', state: 'failed', note: QUOTING }], retryAfterMs: null },
  ],
  ['it broke', { kind: 'broke' }],
];

describe('the journal of a consignment', () => {
  it.each(facts)('leaves no address for the log when %s', (_case, fact) => {
    const before = consignment({ parts: [part(1)] });
    const logged = JSON.stringify(journalEntries(before, fact, before).map(({ what, fields }) => ({ what, fields })));
    for (const personal of PERSONAL) expect(logged).not.toContain(personal);
  });

  it("names the carrier's ids of the errors, which its support asks for", () => {
    const problems = [{ ...problem, errorId: 'e-1' }, problem];
    const fact: Fact = { kind: 'sent', results: [{ n: 1, kind: 'rejected', problems, because: 'data' }] };
    const entries = journalEntries(consignment(), fact, consignment());
    expect(entries.find(({ what }) => what === 'carrier refused')?.fields).toMatchObject({ errorIds: ['e-1'] });
  });

  it('tells that the state has changed, and from which', () => {
    const entries = journalEntries(consignment(), { kind: 'broke' }, consignment({ state: 'planned' }));
    expect(entries).toContainEqual({ what: 'planned', fields: { from: 'received' } });
  });
});
