import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Party } from '../../carriers/contract/model.js';
import { anonymous } from '../../src/consignment/anonymise.js';
import { partsColumn } from '../../src/consignment/ledger/sealed-columns.js';
import type { Database } from '../../src/db/database.js';
import { createKeyRing } from '../../src/db/sealing/key-ring.js';
import { sealedDatabase } from '../../src/db/sealing/sealed-database.js';
import { bookingRequest, parcel } from '../carriers/sample-request.js';
import { consignment, part } from '../support/consignments.js';

const NAME = 'Ragnhild Tindborg';

const person: Party = {
  address: { ...bookingRequest().recipient.address, name: NAME, careOf: NAME, street: NAME, city: NAME },
  contact: { name: NAME, email: NAME, phone: NAME, mobile: NAME },
};
/** Of a booking that names a person wherever it can. */
const named = part(1, {
  request: bookingRequest({
    ...{ sender: person, recipient: person, returnTo: person, pickUpPointId: NAME, notesOnDelivery: NAME },
    ...{ customersReference: NAME, sendersReference: NAME, parcels: [parcel({ id: 'box-1' })] },
  }),
  problems: [{ code: 'street', text: NAME, parcelId: null }],
});

it('are in no part of a booking that is stored with a data key, a return address among them', async () => {
  const stored: unknown[] = [];
  const keep = async <Row>(_text: string, values: readonly unknown[] = []): Promise<readonly Row[]> => {
    stored.push(...values);
    return [];
  };
  const nothing = () => Promise.reject(new Error('is not asked'));
  const below = { kind: 'server', query: keep, script: nothing, transaction: nothing, close: nothing } as Database;
  const database = sealedDatabase(below, createKeyRing([randomBytes(32)]));
  await database.query('update consignment set parts = $1', [partsColumn([named])]);
  expect(JSON.stringify(stored)).toContain('10045');
  expect(JSON.stringify(stored)).not.toContain(NAME);
});

it('are in no part of a booking whose addresses were deleted, a return address among them', () => {
  const deleted = JSON.stringify(anonymous(consignment({ parts: [named] }), '2030-06-04T12:00:00Z'));
  expect(deleted).toContain(named.request.reference);
  expect(deleted).not.toContain(NAME);
});

it('leave a message whose texts were deleted about the document that it is about', () => {
  const values = { shipmentNumber: '10045', carrier: 'Test Carrier', numbers: 'PP1' };
  const message = { key: 'booked-beside', values, bookedOn: 'delivery-note' } as const;
  expect(anonymous(consignment({ shortfalls: [message] }), '2030-06-04T12:00:00Z').shortfalls).toEqual([message]);
});
