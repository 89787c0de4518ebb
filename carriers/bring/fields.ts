import type { Contact, Parcel, Party } from '../contract/index.js';
import type { FieldTable, Fit } from '../toolkit/fit.js';
import { LATIN_1, fit, fitBelowStreet, fitPhone, fitStreet } from '../toolkit/fit.js';
import { careOfLine, said } from '../toolkit/text.js';

/** The letters are an assumption: see this folder's README. */
const LINE = { longest: 35, letters: LATIN_1 };

/** What Bring takes in the fields that hold texts of ours. */
export const FIELDS = {
  name: { means: 'name', ...LINE },
  addressLine: { means: 'street', ...LINE },
  addressLine2: { means: 'second-line', ...LINE },
  city: { means: 'city', ...LINE },
  reference: { means: 'reference', ...LINE },
  contactName: { means: 'contact', ...LINE },
  phoneNumber: { means: 'phone' },
  email: { means: 'email', longest: 60 },
  goodsDescription: { means: 'description', ...LINE },
  /** Of unattended delivery; the length is an assumption too. */
  message: { means: 'notes', longest: 400, letters: LATIN_1 },
  additionalAddressInfo: { means: 'notes', longest: 70, letters: LATIN_1 },
  notesOnDelivery: { means: 'notes' },
} as const satisfies FieldTable;

type PartyField = 'name' | 'addressLine' | 'addressLine2' | 'city' | 'reference' | 'contactName' | 'phoneNumber';

/**
 * The texts of a party. The house number stands at the end of the street: what does not fit into the first line goes on
 * in the second, in front of all that Bring has no line for.
 */
export function partyFields({ address, contact }: Party, reference: string | null): Readonly<Record<PartyField, Fit>> {
  const street = fitStreet(address.street, FIELDS.addressLine);
  const careOf = careOfLine(address.careOf);
  const more = [address.floorBlockOrSuite, careOf, address.district, address.stateOrProvince];
  return {
    name: fit(said(address.name, contact.name).slice(0, 1), FIELDS.name),
    addressLine: street.first,
    addressLine2: fitBelowStreet(street.rest, more, FIELDS.addressLine2),
    city: fit([address.city], FIELDS.city),
    reference: fit([reference], FIELDS.reference),
    contactName: fit(said(contact.name, address.name).slice(0, 1), FIELDS.contactName),
    phoneNumber: fitPhone(phoneOf(contact), address.countryCode),
  };
}

/** There is one field; a mobile number can be sent messages. */
function phoneOf({ mobile, phone }: Contact): string | null {
  const numbers = said(mobile, phone);
  return numbers.find((number) => /\d/.test(number)) ?? numbers[0] ?? null;
}

export function packageFields(parcel: Parcel): Readonly<Record<'goodsDescription', Fit>> {
  return { goodsDescription: fit([parcel.description], FIELDS.goodsDescription) };
}

/** The message of unattended delivery. */
export function messageField(notesOnDelivery: string | null): Fit {
  return fit([notesOnDelivery], FIELDS.message);
}

/** What the driver reads beside the address. */
export function addressInfoField(notesOnDelivery: string | null): Fit {
  return fit([notesOnDelivery], FIELDS.additionalAddressInfo);
}
