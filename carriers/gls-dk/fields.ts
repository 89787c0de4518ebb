import type { BookingRequest, Parcel, Party } from '../contract/index.js';
import type { FieldLimit, Fit } from '../toolkit/fit.js';
import { LATIN_1, fit, fitBelowStreet, fitPhone, fitStreet } from '../toolkit/fit.js';
import { said } from '../toolkit/text.js';
import { LONGEST } from './wire.js';

/** The letters are an assumption: see this folder's README. */
const LINE: FieldLimit = { longest: LONGEST.line, letters: LATIN_1 };

/** What GLS takes in the fields that hold texts of ours. */
export const FIELDS = {
  Name1: LINE,
  Name2: LINE,
  Name3: LINE,
  Street1: LINE,
  City: LINE,
  Contact: LINE,
  Reference: { longest: LONGEST.parcelReference, letters: LATIN_1 },
  Comment: { longest: LONGEST.comment, letters: LATIN_1 },
  Deposit: { longest: LONGEST.deposit, letters: LATIN_1 },
} as const satisfies Readonly<Record<string, FieldLimit>>;

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
