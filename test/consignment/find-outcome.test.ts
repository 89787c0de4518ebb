import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import type { Consignment } from '../../src/consignment/consignment.js';
import { claim, insertConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import { save } from '../../src/consignment/ledger/save.js';
import { findOutcome } from '../../src/consignment/steps/find-outcome.js';
import type { Database } from '../../src/db/database.js';
import { NOON, bookedPart, part, plan, bookingContext } from '../support/consignments.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const SOON = new Date(NOON.getTime() + 10_000);
const unused = () => Promise.reject(new Error('it is not asked'));
const carrier = { book: unused, fetchLabels: unused } as unknown as CarrierAccount;

let database: Database;

beforeAll(async () => (database = await openEmptyDatabase()));
afterAll(() => database.close());

async function stored(documentId: string, now: Date, changes: Partial<Consignment>): Promise<Consignment> {
  const addressee = { eventId: `e-${documentId}`, userId: 7, deviceName: null };
  const about = { area: '1', bookedOn: 'transport-booking', shipmentId: 's-1', addressee } as const;
  const id = await insertConsignment(database, { ...about, documentId, now });
  const owner = 'test';
  const taken = id === null ? null : await claim(database, id, { owner, now, until: SOON });
  if (taken === null) throw new Error(`${documentId} could not be claimed`);
  const after = { ...taken, plan: plan(['box-1']), ...changes };
  const writing = { owner, now, entries: [], keepLease: 'give-back', knownCancelRequest: null } as const;
  return save(database, after, { ...writing, answersCancelRequest: 'stands' });
}

/** What is done about a request of the first run, where the carrier refuses a repetition and has no search. */
async function outcomeOf(first: Consignment) {
  const clock = { now: () => SOON };
  const world = bookingContext(carrier, { repeatedBooking: 'refused' }, clock);
  return (await findOutcome({ ...world, database }, first, 1)).fact;
}

it('a request of an earlier run is repeated only while no other document has booked the shipment', async () => {
  const lost = part(1, { state: 'in-doubt', attempt: 1 });
  const first = await stored('d-1', NOON, { state: 'in-doubt', reference: '10045', parts: [lost], run: 2 });
  expect(await outcomeOf(first)).toMatchObject({ kind: 'looked-up', result: { kind: 'send-again' } });
  const later = new Date(NOON.getTime() + 1_000);
  await stored('d-2', later, { state: 'closed', reference: '10045-2', parts: [bookedPart(1)], dueAt: null });
  expect(await outcomeOf(first)).toMatchObject({ kind: 'looked-up', result: { kind: 'person' } });
});
