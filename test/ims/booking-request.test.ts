import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Bookable } from '../../src/ims/booking-request/booking-request.js';
import { toBookingRequest } from '../../src/ims/booking-request/booking-request.js';
import { gramsFromKilograms, millimetresFromMetres } from '../../src/ims/booking-request/measures.js';
import type { ImsShipment } from '../../src/ims/resources.js';
import { readContext, readSeller, readShipment } from '../../src/ims/resources.js';

const recipient = {
  addressee: 'Test Person',
  careOf: 'Other Person',
  streetNameAndNumber: 'Testvej 1',
  floorBlockOrSuite: '2. tv',
  districtOrCityArea: 'Testby Nord',
  cityTownOrVillage: 'Testby',
  postalCode: '8000',
  countryCode: 'DK',
};
const container = { id: 10000012, grossWeight: 1.5, containerTypeName: 'Box' };
const plain = {
  id: 20000001,
  shipmentNumber: '10045',
  deliveryAddress: recipient,
  contactPerson: { name: 'Test Person', email: 'test@shop.example', phoneNumber: '86000000', mobileNumber: '20000000' },
  shippingContainers: [container],
};
const address = (addressee: string) => ({ addressee, countryCode: 'DK' });

function shipment(fields: object = {}): ImsShipment {
  const read = readShipment({ ...plain, ...fields });
  if (!read) throw new Error('not a shipment');
  return read;
}

function outcome(fields: object = {}, given: Partial<Bookable> = {}) {
  const base = { context: null, seller: null, reference: 'wb-1', service: null, options: {}, shipDate: '2026-03-02' };
  return toBookingRequest({ shipment: shipment(fields), ...base, ...given });
}

function request(fields: object = {}, given: Partial<Bookable> = {}) {
  const made = outcome(fields, given);
  if (made.kind === 'unusable') throw new Error(made.problems.map(({ text }) => text).join('; '));
  return made.request;
}

describe('a booking request', () => {
  it('carries everything a carrier may need, floor and district too', () => {
    const options = { notification: 'email' };
    expect(
      request(
        { notesOnDelivery: 'Ring twice', customersReference: 'PO 7', sellersReference: 'S 1', incoterms: 'DAP' },
        { service: 'home', options },
      ),
    ).toEqual({
      reference: 'wb-1',
      shipmentNumber: '10045',
      parcelsInShipment: 1,
      service: 'home',
      options,
      sender: { address: expect.objectContaining({ name: null }), contact: expect.objectContaining({ name: null }) },
      recipient: {
        address: {
          name: 'Test Person',
          careOf: 'Other Person',
          street: 'Testvej 1',
          floorBlockOrSuite: '2. tv',
          district: 'Testby Nord',
          city: 'Testby',
          stateOrProvince: null,
          postalCode: '8000',
          countryCode: 'DK',
        },
        contact: { name: 'Test Person', email: 'test@shop.example', phone: '86000000', mobile: '20000000' },
      },
      deliverToPickUpPoint: false,
      pickUpPointId: null,
      privateDelivery: null,
      unattendedDelivery: false,
      notesOnDelivery: 'Ring twice',
      customersReference: 'PO 7',
      sendersReference: 'S 1',
      incoterms: 'DAP',
      shipDate: '2026-03-02',
      parcels: [
        {
          id: '10000012',
          label: '10045 #1',
          weightGrams: 1500,
          lengthMm: null,
          widthMm: null,
          heightMm: null,
          volumeMl: null,
          description: 'Box',
        },
      ],
      goods: [],
    });
  });

  it.each([
    ['the shipment names', { sellerAddress: address('On shipment') }, 'On shipment'],
    ['is the seller when the shipment names none', {}, 'Seller'],
    ['is the seller when the address on the shipment is empty', { sellerAddress: { countryCode: 'DK' } }, 'Seller'],
  ])('has the sender that %s', (_case, fields, name) => {
    const seller = readSeller({ id: 3, address: address('Seller') });
    const context = readContext({ id: 550, address: address('Warehouse') });
    expect(request(fields, { seller, context }).sender.address.name).toBe(name);
  });

  it("has the area as the sender without a seller, and never mixes the warehouse's contact into a seller's address", () => {
    const context = readContext({ id: 550, address: address('Warehouse'), contactPerson: { name: 'Keeper' } });
    expect(request({}, { context }).sender).toMatchObject({
      address: { name: 'Warehouse' },
      contact: { name: 'Keeper' },
    });
    const sender = request({ sellerAddress: address('Shop') }, { context }).sender;
    expect(sender).toMatchObject({ address: { name: 'Shop' }, contact: { name: null } });
  });

  it.each([
    ['the area before the seller', 'area', 'Warehouse'],
    ['the seller before the area', 'seller', 'Shop'],
  ] as const)('has as its sender %s, where the account says so', (_case, sender, name) => {
    const context = readContext({ id: 550, address: address('Warehouse'), contactPerson: { name: 'W' } });
    const made = request({ sellerAddress: address('Shop') }, { context, sender }).sender;
    expect([made.address.name, made.contact.name]).toEqual([name, sender === 'area' ? 'W' : null]);
  });

  it('has the seller as its sender where the area has no address', () => {
    const context = readContext({ id: 550 });
    expect(request({ sellerAddress: address('Shop') }, { context, sender: 'area' }).sender.address.name).toBe('Shop');
  });

  it('does without a contact person', () => {
    expect(request({ contactPerson: null }).recipient.contact).toEqual({
      name: null,
      email: null,
      phone: null,
      mobile: null,
    });
  });

  it.each<[string, object, object]>([
    ['a pick-up point by its flag', { deliverToPickUpPoint: true }, { deliverToPickUpPoint: true }],
    ['a pick-up point by its id', { pickUpPointId: '95558' }, { deliverToPickUpPoint: true, pickUpPointId: '95558' }],
    [
      'home delivery although an id is left',
      { deliverToPickUpPoint: false, pickUpPointId: '95558' },
      { deliverToPickUpPoint: false },
    ],
    ['a private person', { privateDelivery: true, vatNumber: 'DK12345678' }, { privateDelivery: true }],
    ['a company by its VAT number', { vatNumber: 'DK12345678' }, { privateDelivery: false }],
    ['unattended delivery', { unattendedDelivery: true }, { unattendedDelivery: true }],
    ['our reference without the seller’s', { ourReference: 'O 1' }, { sendersReference: 'O 1' }],
  ])('asks for %s', (_case, fields, expected) => {
    expect(request(fields)).toMatchObject(expected);
  });

  it.each<[string, object, number]>([
    ['the gross weight', { grossWeight: 2, weight: 3, netWeight: 4, tareWeight: 5 }, 2_000],
    ['the weight given by hand without one', { grossWeight: null, weight: 3, netWeight: 4, tareWeight: 5 }, 3_000],
    ['net and tare without both', { grossWeight: null, netWeight: 0.1, tareWeight: 0.2 }, 300],
    ['the next when one is zero', { grossWeight: 0, weight: 0.25 }, 250],
  ])('takes %s', (_case, weights, weightGrams) => {
    const parcels = request({ shippingContainers: [{ id: 1, ...weights }] }).parcels;
    expect(parcels.map((parcel) => parcel.weightGrams)).toEqual([weightGrams]);
  });

  it.each<[string, object, object]>([
    [
      'measured',
      { dimensions: { length: 2.3, width: 0.2, height: 0.1 }, volume: 1 },
      { lengthMm: 2_300, widthMm: 200, heightMm: 100, volumeMl: 46_000 },
    ],
    [
      'known by its volume',
      { dimensions: { length: 0.3 }, outerVolume: 12.5 },
      { lengthMm: 300, widthMm: null, heightMm: null, volumeMl: 12_500 },
    ],
    ['not known', { dimensions: null }, { lengthMm: null, volumeMl: null }],
  ])('tells the size of a container that is %s', (_case, sizes, expected) => {
    expect(request({ shippingContainers: [{ ...container, ...sizes }] }).parcels).toMatchObject([expected]);
  });

  it.each([
    ['EUR_PALLET', 'full'],
    ['HALF_EUR_PALLET', 'half'],
    ['QUARTER_EUR_PALLET', 'quarter'],
    ['CUSTOM', undefined],
    [null, undefined],
  ])('says of a container of the platform %s that its pallet is %s', (platformType, pallet) => {
    const [parcel] = request({ shippingContainers: [{ ...container, platformType }] }).parcels;
    expect(parcel?.pallet).toBe(pallet);
  });

  it('keeps the number of each container when only some are booked', () => {
    const shippingContainers = [1, 2, 3].map((id) => ({ id, grossWeight: 1 }));
    const { parcels } = request({ shippingContainers }, { containerIds: ['3', '1'] });
    expect(parcels.map(({ id, label }) => [id, label])).toEqual([
      ['1', '10045 #1'],
      ['3', '10045 #3'],
    ]);
  });

  it.each([
    ['dk', 'DK'],
    ['DK', 'DK'],
    ['UNDEFINED', null],
    ['Denmark', null],
  ])('reads the country %s of a sender as %s', (countryCode, expected) => {
    const sellerAddress = { addressee: 'Shop', countryCode };
    expect(request({ sellerAddress }).sender.address.countryCode).toBe(expected);
  });
});

describe('a shipment cannot be booked', () => {
  it.each<[string, object, readonly object[]]>([
    [
      'without an address',
      { deliveryAddress: null },
      [{ text: 'shipment 10045 has no delivery address', parcelId: null }],
    ],
    ['with an empty address', { deliveryAddress: {} }, [{ code: 'no-delivery-address' }]],
    [
      'without a country',
      { deliveryAddress: { ...recipient, countryCode: 'UNDEFINED' } },
      [{ text: 'the delivery address of shipment 10045 has no country' }],
    ],
    ['without containers', { shippingContainers: [] }, [{ code: 'no-containers' }]],
    [
      'with a container that has no weight',
      { shippingContainers: [container, { id: 10000013, netWeight: 1 }] },
      [{ text: expect.stringContaining('container 10000013 has no weight'), parcelId: '10000013' }],
    ],
    ['when it is cancelled', { cancelled: true }, [{ text: 'shipment 10045 is cancelled' }]],
    [
      'for several reasons at once',
      { deliveryAddress: null, shippingContainers: [{ id: 1 }, { id: 2 }] },
      [{ code: 'no-delivery-address' }, { parcelId: '1' }, { parcelId: '2' }],
    ],
  ])('%s', (_case, fields, problems) => {
    expect(outcome(fields)).toEqual({
      kind: 'unusable',
      problems: problems.map((problem) => expect.objectContaining(problem)),
    });
  });
});

describe('measures', () => {
  it('never lose or invent a gram', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (grams) => {
        expect(gramsFromKilograms(grams / 1000)).toBe(grams);
      }),
    );
  });

  it('are never smaller than they were', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 999_999, noNaN: true }), (metres) => {
        expect(millimetresFromMetres(metres)).toBeGreaterThanOrEqual(metres * 1000 - 1e-5);
      }),
    );
  });

  it.each([
    [1.001, 1_001],
    [0.0001, 1],
    [1.2341, 1_235],
    [0, null],
    [-1, null],
    [Number.NaN, null],
    [null, null],
  ])('read %s kg as %s g', (kilograms, grams) => {
    expect(gramsFromKilograms(kilograms)).toBe(grams);
  });
});
