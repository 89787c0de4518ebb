import { BOOLEAN, COUNTRY_CODE, DECIMAL, TEXT, TEXT_255, objectType, MEASURE } from './fields.js';

/** Objects embedded in resources. Each of their members is optional. */

export const ADDRESS = objectType('Address', {
  addressee: TEXT_255,
  careOf: TEXT_255,
  streetNameAndNumber: TEXT_255,
  floorBlockOrSuite: TEXT_255,
  districtOrCityArea: TEXT_255,
  cityTownOrVillage: TEXT_255,
  stateOrProvince: TEXT_255,
  postalCode: TEXT_255,
  countryCode: COUNTRY_CODE,
  countryName: TEXT_255,
});

export const CONTACT = objectType('ContactPerson', { name: TEXT, email: TEXT, phoneNumber: TEXT, mobileNumber: TEXT });

/** In metres. */
export const DIMENSIONS = objectType('Dimensions', { height: MEASURE, width: MEASURE, length: MEASURE });

export const VARIANT = objectType('ProductVariantKey', {
  description: TEXT,
  packagingType: TEXT,
  color: TEXT,
  size: TEXT,
  material: TEXT,
  fullDescription: TEXT,
});

export const RESERVATION_SETUP = objectType('ReservationSetup', {
  writeDownWhenShipmentOnHold: BOOLEAN,
  writeDownWhenShipmentLineAbandoned: BOOLEAN,
});

export const NUMBER_SEQUENCE = objectType('GlobalTradeItemNumberSequence', { prefix: TEXT, nextNumber: DECIMAL });
