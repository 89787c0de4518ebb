import type { Contact, Parcel, Party } from '../contract/index.js';
import type { FieldLimit, Fit } from '../toolkit/fit.js';
import { LATIN_1, fit, fitBelowStreet, fitPhone, fitStreet } from '../toolkit/fit.js';
import { careOfLine, said } from '../toolkit/text.js';
import { MAX_ADDRESS_INFO_LENGTH, MAX_MESSAGE_LENGTH, MAX_TEXT_LENGTH } from './wire.js';

/** The letters are an assumption: see this folder's README. */
const LINE: FieldLimit = { longest: MAX_TEXT_LENGTH, letters: LATIN_1 };

/** What Bring takes in the fields that hold texts of ours. */
export const FIELDS = {
  name: LINE,
  addressLine: LINE,
  addressLine2: LINE,
  city: LINE,
  reference: LINE,
  contactName: LINE,
  goodsDescription: LINE,
  message: { longest: MAX_MESSAGE_LENGTH, letters: LATIN_1 },
  additionalAddressInfo: { longest: MAX_ADDRESS_INFO_LENGTH, letters: LATIN_1 },
} as const satisfies Readonly<Record<string, FieldLimit>>;

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
