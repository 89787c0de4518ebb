import type { BookingRequest, Goods, Parcel, Party } from '../../carriers/contract/index.js';
import { sampleRequest } from '../../carriers/contract/sample-request.js';

/** The moment at which carriers' tests take place. */
export const TEST_NOW = new Date('2030-03-04T08:00:00Z');

export function parcel(changes: Partial<Parcel> = {}): Parcel {
  return {
    id: '501',
    label: '10045 #1',
    weightGrams: 2_400,
    lengthMm: 400,
    widthMm: 300,
    heightMm: 200,
    volumeMl: null,
    description: 'Textiles',
    ...changes,
  };
}

/** Two parcels of different weight and size. */
export const twoParcels: readonly Parcel[] = [
  parcel(),
  parcel({ id: '502', label: '10045 #2', weightGrams: 1_105, lengthMm: 301, widthMm: 200, heightMm: 95 }),
];

export const sampleSender: Party = {
  address: {
    name: 'Sample Warehouse ApS',
    careOf: null,
    street: 'Prøvevej 1',
    floorBlockOrSuite: null,
    district: null,
    city: 'Frederiksberg',
    stateOrProvince: null,
    postalCode: '2000',
    countryCode: 'DK',
  },
  contact: { name: 'The warehouse', email: 'warehouse@example.com', phone: '+4518123456', mobile: null },
};

export const sampleRecipient: Party = {
  address: {
    name: 'Test Modtager',
    careOf: null,
    street: 'Eksempelgade 22',
    floorBlockOrSuite: null,
    district: null,
    city: 'Glostrup',
    stateOrProvince: null,
    postalCode: '2600',
    countryCode: 'DK',
  },
  contact: { name: 'Test Modtager', email: 'recipient@example.com', phone: null, mobile: '18234567' },
};

/** A booking of two parcels inside Denmark; `changes` replaces whole properties. */
export function bookingRequest(changes: Partial<BookingRequest> = {}): BookingRequest {
  return sampleRequest({ sender: sampleSender, recipient: sampleRecipient, parcels: twoParcels, ...changes });
}

/** A line of which customs know everything. */
export function goods(changes: Partial<Goods> = {}): Goods {
  return {
    description: 'Cotton shirts',
    quantity: 2,
    unitValue: '129.5',
    currency: 'DKK',
    unitWeightGrams: 200,
    tariffNumberAtDestination: '610910',
    tariffNumberAtOrigin: '610910',
    countryOfOrigin: 'PT',
    unNumbers: [],
    ...changes,
  };
}

/** The sample recipient with changes in the address or the contact. */
export function recipient(changes: {
  readonly address?: Partial<Party['address']>;
  readonly contact?: Partial<Party['contact']>;
}): Party {
  return {
    address: { ...sampleRecipient.address, ...changes.address },
    contact: { ...sampleRecipient.contact, ...changes.contact },
  };
}
