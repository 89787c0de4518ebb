import type { Parcel, Party } from '../contract/index.js';
import type { FieldTable } from '../toolkit/index.js';
import { LATIN_1, fitAll, partyTexts, withoutTooLong } from '../toolkit/index.js';

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
export const MAX_CHARACTERS = { reference: 20, postalCode: 10, shop: 10 } as const;

export type AddressTexts = ReturnType<typeof addressTexts>;

export const addressTexts = (party: Party) => partyTexts(party, FIELDS);

/** GLS need not contact the sender: what is too long for that does not delay the label. */
export const senderTexts = (sender: Party): AddressTexts => withoutTooLong(addressTexts(sender), FIELDS);

export const parcelTexts = ({ label, description }: Parcel) =>
  fitAll({ Reference: label, Comment: description }, FIELDS);

/** @param Deposit the notes on delivery, which say where the parcel is to be left */
export const depositTexts = (Deposit: string | null) => fitAll({ Deposit }, FIELDS);
