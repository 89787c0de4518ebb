import { describe, expect, it } from '@jest/globals';
import { partiesOf } from '../../src/ims/booking-request/parties.js';
import { readShipment } from '../../src/ims/resources.js';

const shop = {
  addressee: 'The corner shop',
  streetNameAndNumber: 'Butiksvej 3',
  cityTownOrVillage: 'Odense C',
  postalCode: '5000',
  countryCode: 'DK',
};
const home = { ...shop, addressee: 'Test Person', streetNameAndNumber: 'Testvej 1', postalCode: '5230' };

function recipientOf(fields: object) {
  const shipment = readShipment({
    id: 1,
    deliveryAddress: shop,
    customerAddress: home,
    contactPerson: { name: 'Test Person', mobileNumber: '20000000' },
    ...fields,
  });
  if (!shipment) throw new Error('not a shipment');
  return partiesOf({ shipment, seller: null, context: null }).recipient;
}

describe('the recipient', () => {
  it.each<readonly [string, object]>([
    ['a shipment for a pick-up point', { deliverToPickUpPoint: true }],
    ['a shipment that names a pick-up point', { pickUpPointId: '95558' }],
    [
      'one whose countries are written differently',
      { pickUpPointId: '1', customerAddress: { ...home, countryCode: 'dk' } },
    ],
  ])("has the customer's address in %s, and the shipment's contact", (_case, fields) => {
    expect(recipientOf(fields)).toMatchObject({
      address: { name: 'Test Person', street: 'Testvej 1', postalCode: '5230', countryCode: 'DK' },
      contact: { mobile: '20000000' },
    });
  });

  it.each<readonly [string, object]>([
    ['does not go to a pick-up point', {}],
    ['goes home although an id is left', { deliverToPickUpPoint: false, pickUpPointId: '95558' }],
    ['has no other address', { deliverToPickUpPoint: true, customerAddress: null }],
    [
      'knows the customer without a street',
      { deliverToPickUpPoint: true, customerAddress: { ...home, streetNameAndNumber: ' ' } },
    ],
    [
      'knows the customer without a name',
      { deliverToPickUpPoint: true, customerAddress: { ...home, addressee: null } },
    ],
    [
      'knows the customer without a postal code',
      { deliverToPickUpPoint: true, customerAddress: { ...home, postalCode: null } },
    ],
    [
      'goes to another country than the customer lives in',
      { deliverToPickUpPoint: true, customerAddress: { ...home, countryCode: 'SE' } },
    ],
    [
      'goes to a country that nobody chose',
      { deliverToPickUpPoint: true, customerAddress: { ...home, countryCode: 'UNDEFINED' } },
    ],
  ])('has the delivery address when the shipment %s', (_case, fields) => {
    expect(recipientOf(fields).address).toMatchObject({ name: 'The corner shop', street: 'Butiksvej 3' });
  });
});
