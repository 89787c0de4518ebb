import countries from 'i18n-iso-countries/index.js';
import type { Parcel, Party } from '../contract/index.js';
import type { FieldTable } from '../toolkit/index.js';
import { LATIN_1, fitAll, partyTexts, plainPostalCode, said, sentOf, withoutTooLong } from '../toolkit/index.js';

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

export const addressTexts = (party: Party) => partyTexts(party, FIELDS);

/** GLS need not contact the sender: what is too long for that does not delay the label. */
export const senderTexts = (sender: Party) => withoutTooLong(addressTexts(sender), FIELDS);

export const parcelTexts = ({ label, description }: Parcel) =>
  fitAll({ Reference: label, Comment: description }, FIELDS);

/** @param Deposit the notes on delivery, which say where the parcel is to be left */
export const depositTexts = (Deposit: string | null) => fitAll({ Deposit }, FIELDS);

/** @returns ISO 3166-1 numeric as three digits, e.g. `040`; `''` for what is no country */
export const countryNumber = (countryCode: string | null) => countries.alpha2ToNumeric(countryCode ?? '') ?? '';

export function toGlsAddress(party: Party, texts = addressTexts(party)) {
  const { address } = party;
  return { ...sentOf(texts), CountryNum: countryNumber(address.countryCode), ZipCode: plainPostalCode(address) ?? '' };
}

export const toSenderAddress = (sender: Party) => toGlsAddress(sender, senderTexts(sender));

/** Half a sender would be refused. @returns `undefined`: not all of it is known; GLS prints the account's own */
export function toShipper(sender: Party): ReturnType<typeof toGlsAddress> | undefined {
  const shipper = toSenderAddress(sender);
  const { Name1, Street1, CountryNum, ZipCode, City } = shipper;
  const isWhole = said(Name1, Street1, CountryNum, ZipCode, City).length === 5;
  return isWhole && ZipCode.length <= MAX_CHARACTERS.postalCode ? shipper : undefined;
}
