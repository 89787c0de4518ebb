import type { BookingRequest, Parcel, Party } from '../contract/index.js';
import type { FieldTable, Fit } from '../toolkit/fit.js';
import { LATIN_1, fit, withoutField } from '../toolkit/fit.js';
import { partyTexts } from '../toolkit/party-texts.js';

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

export function addressTexts(party: Party) {
  return partyTexts(party, FIELDS);
}

/**
 * A value of the contact that is too long is left out where the carrier need not contact the recipient, so that it does
 * not delay the label.
 */
export function senderTexts(sender: Party): AddressTexts {
  const texts = addressTexts(sender);
  const whole = (field: 'Email' | 'Phone' | 'Mobile'): Fit =>
    texts[field].sent.length > FIELDS[field].longest ? withoutField(texts[field].given, 'meaning-lost') : texts[field];
  return { ...texts, Email: whole('Email'), Phone: whole('Phone'), Mobile: whole('Mobile') };
}

export function parcelTexts({ label, description }: Parcel): Readonly<Record<'Reference' | 'Comment', Fit>> {
  return { Reference: fit([label], FIELDS.Reference), Comment: fit([description], FIELDS.Comment) };
}

/** Where the parcel is to be left. */
export function depositText({ notesOnDelivery }: BookingRequest): Fit {
  return fit([notesOnDelivery], FIELDS.Deposit);
}
