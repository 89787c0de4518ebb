import type { Parcel, Party } from '../contract/index.js';
import type { FieldTable } from '../toolkit/index.js';
import { LATIN_1, fitAll, partyTexts, said } from '../toolkit/index.js';

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
  message: { means: 'notes', longest: 400, letters: LATIN_1 }, // of unattended delivery; an assumption too
  additionalAddressInfo: { means: 'notes', longest: 70, letters: LATIN_1 }, // the driver reads it beside the address
  notesOnDelivery: { means: 'notes' },
} as const satisfies FieldTable;

/** A party without a contact person is one itself. */
export function bringTexts(party: Party, reference: string | null) {
  const [contactName = null] = said(party.contact.name, party.address.name);
  return { ...partyTexts(party, FIELDS), ...fitAll({ contactName, reference }, FIELDS) };
}

export const packageTexts = ({ description }: Pick<Parcel, 'description'>) =>
  fitAll({ goodsDescription: description }, FIELDS);
