import type { BookingRequest, Parcel, Party } from '../contract/index.js';
import type { FieldTable, Fit } from '../toolkit/fit.js';
import { LATIN_1, fit, fitBelowStreet, fitPhone, fitStreet } from '../toolkit/fit.js';
import { said } from '../toolkit/text.js';

/** The letters are an assumption: see this folder's README. */
const LINE = { longest: 40, letters: LATIN_1 };

/** GLS's fields that hold texts of ours, and the longest that it takes: see Sources in this folder's README. */
export const FIELDS = {
  Name1: { means: 'name', ...LINE },
  Name2: { means: 'care-of', ...LINE },
  Name3: { means: 'second-line', ...LINE },
  Street1: { means: 'street', ...LINE },
  City: { means: 'city', ...LINE },
  Contact: { means: 'contact', ...LINE },
  Email: { means: 'email', longest: 100 },
  Phone: { means: 'phone', longest: 40 },
  Mobile: { means: 'mobile', longest: 40 },
  Reference: { means: 'reference', longest: 50, letters: LATIN_1 },
  Comment: { means: 'description', ...LINE },
  Deposit: { means: 'notes', longest: 100, letters: LATIN_1 },
  notesOnDelivery: { means: 'notes' },
  AlternativeShipper: { means: 'address' },
} as const satisfies FieldTable;

/** The longest of what else GLS takes. */
export const LONGEST = { reference: 20, postalCode: 10, shop: 10 } as const;

type AddressField = 'Name1' | 'Name2' | 'Name3' | 'Street1' | 'City' | 'Contact' | 'Phone' | 'Mobile';

/**
 * The texts of an address. GLS refuses a longer `Street1`, and the end of it, the house number, is what a driver needs
 * most: it goes on at the front of `Name3`, where the label shows it too.
 */
export function addressFields({ address, contact }: Party): Readonly<Record<AddressField, Fit>> {
  const street = fitStreet(address.street, FIELDS.Street1);
  const more = [address.floorBlockOrSuite, address.district, address.stateOrProvince];
  return {
    Name1: fit(said(address.name, contact.name).slice(0, 1), FIELDS.Name1),
    Name2: fit([address.careOf], FIELDS.Name2),
    Name3: fitBelowStreet(street.rest, more, FIELDS.Name3),
    Street1: street.first,
    City: fit([address.city], FIELDS.City),
    Contact: fit([contact.name], FIELDS.Contact),
    Phone: fitPhone(contact.phone, address.countryCode),
    Mobile: fitPhone(contact.mobile, address.countryCode),
  };
}

export function parcelFields(parcel: Parcel): Readonly<Record<'Reference' | 'Comment', Fit>> {
  return { Reference: fit([parcel.label], FIELDS.Reference), Comment: fit([parcel.description], FIELDS.Comment) };
}

/** Where the parcel is to be left. */
export function depositField(request: BookingRequest): Fit {
  return fit([request.notesOnDelivery], FIELDS.Deposit);
}
