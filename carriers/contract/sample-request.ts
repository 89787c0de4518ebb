import type { BookingRequest, Parcel, Party } from './model.js';

const warehouse: Party = {
  address: {
    name: 'Nordhavn Lager',
    careOf: null,
    street: 'Prøvevej 1',
    floorBlockOrSuite: null,
    district: null,
    city: 'Frederiksberg',
    stateOrProvince: null,
    postalCode: '2000',
    countryCode: 'DK',
  },
  contact: { name: 'Lageret', email: 'lager@mail.example', phone: '18123456', mobile: null },
};

const recipient: Party = {
  address: { ...warehouse.address, name: 'Prøve Modtager', street: 'Testgade 7', postalCode: '2600', city: 'Glostrup' },
  contact: { name: 'Prøve Modtager', email: 'recipient@example.com', phone: null, mobile: '18234567' },
};

const parcel: Parcel = {
  id: '501',
  label: '10045 #1',
  weightGrams: 1_200,
  lengthMm: 300,
  widthMm: 200,
  heightMm: 100,
  volumeMl: null,
  description: null,
};

/** A parcel from one Danish address to another, such as every carrier takes; `changes` replaces whole properties. */
export function sampleRequest(changes: Partial<BookingRequest> = {}): BookingRequest {
  return {
    reference: '10045-1',
    shipmentNumber: '10045',
    service: null,
    options: {},
    sender: warehouse,
    recipient,
    deliverToPickUpPoint: false,
    pickUpPointId: null,
    privateDelivery: null,
    unattendedDelivery: false,
    notesOnDelivery: null,
    customersReference: null,
    sendersReference: null,
    incoterms: null,
    shipDate: '2030-03-04',
    parcels: [parcel],
    goods: [],
    ...changes,
  };
}
