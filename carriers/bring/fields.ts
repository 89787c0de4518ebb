import type { Parcel, Party } from '../contract/index.js';
import type { FieldTable, Fit } from '../toolkit/fit.js';
import { LATIN_1, fit } from '../toolkit/fit.js';
import { partyTexts } from '../toolkit/party-texts.js';
import { said } from '../toolkit/text.js';

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

/** The texts of a party. A party without a contact person is one itself. */
export function bringTexts(party: Party, reference: string | null) {
  const { address, contact } = party;
  return {
    ...partyTexts(party, FIELDS),
    contactName: fit(said(contact.name, address.name).slice(0, 1), FIELDS.contactName),
    reference: fit([reference], FIELDS.reference),
  };
}

export function packageTexts(parcel: Parcel): Readonly<Record<'goodsDescription', Fit>> {
  return { goodsDescription: fit([parcel.description], FIELDS.goodsDescription) };
}

/** The message of unattended delivery. */
export function messageText(notesOnDelivery: string | null): Fit {
  return fit([notesOnDelivery], FIELDS.message);
}

/** What the driver reads beside the address. */
export function addressInfoText(notesOnDelivery: string | null): Fit {
  return fit([notesOnDelivery], FIELDS.additionalAddressInfo);
}
