import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { Transform } from 'class-transformer';
import countries from 'i18n-iso-countries/index.js';
import type { CarrierAdapter } from '../../../carriers/contract/adapter.js';
import type { Party } from '../../../carriers/contract/model.js';
import { textChangesIn } from '../../../carriers/toolkit/fit.js';
import { limitsIn, partyTexts } from '../../../carriers/toolkit/party-texts.js';
import { looksLikeEmail, looksLikePhone, postalCodeFits } from '../../../carriers/toolkit/preflight.js';
import { OptionalText, TextSetting, toText } from '../../../carriers/toolkit/settings.js';
import type { SettingProblem } from '../environment.js';

const MAX_CHARACTERS = 200;

/** Where parcels of an account that cannot be delivered go, where that is not the sender. */
export class ReturnAddressConfig {
  @TextSetting('must be the name of the company', MAX_CHARACTERS) name: string;
  @TextSetting('must be the street and its number', MAX_CHARACTERS) street: string;
  @TextSetting('must be the postal code', MAX_CHARACTERS) postalCode: string;
  @TextSetting('must be the city', MAX_CHARACTERS) city: string;
  @Transform(toText) @Matches(/^[A-Z]{2}$/, { message: 'must be a country, e.g. DK' }) countryCode: string;
  @OptionalText('must be a name') careOf?: string;
  @OptionalText('must be the floor or the block') floorBlockOrSuite?: string;
  @OptionalText('must be the state or the province') stateOrProvince?: string;
  @OptionalText('must be the name of a person or a department') contact?: string;
  @OptionalText('must be a telephone number') phone?: string;
  @IsOptional() @IsString({ message: 'must be an e-mail address' }) @MaxLength(MAX_CHARACTERS) email?: string;
}

export function toReturnAddress(given: ReturnAddressConfig): Party {
  const { name, careOf = null, street, floorBlockOrSuite = null, city, stateOrProvince = null } = given;
  const { postalCode, countryCode, contact = null, email = null, phone = null } = given;
  return {
    address: {
      ...{ name, careOf, street, floorBlockOrSuite, district: null },
      ...{ city, stateOrProvince, postalCode, countryCode },
    },
    contact: { name: contact, email, phone, mobile: null },
  };
}

/** Whether the carrier has a field for it, whether it is an address, and whether it fits. @param where the path of the account */
export function returnAddressProblems(
  party: Party | undefined,
  { name, traits, fields }: CarrierAdapter,
  where: string,
): readonly SettingProblem[] {
  if (party === undefined) return [];
  const path = `${where}.returnAddress`;
  const found = (isFound: boolean, key: string, rule: string) => (isFound ? [{ where: path + key, rule }] : []);
  if (!traits.takesReturnAddress)
    return found(true, '', `${name} has no field for it: its parcels go back to the sender; leave it out`);
  const { address, contact } = party;
  const changed = textChangesIn('returnAddress', partyTexts(party, fields)).filter(
    ({ kind }) => kind !== 'transliterated',
  );
  const { longest } = limitsIn(fields)('email');
  const isTooLong = (contact.email ?? '').length > longest;
  return [
    ...found(countries.alpha2ToNumeric(address.countryCode ?? '') === undefined, '.countryCode', 'is not a country'),
    ...found(!postalCodeFits(address), '.postalCode', `is no postal code of ${address.countryCode}`),
    ...found(contact.email !== null && !looksLikeEmail(contact.email), '.email', 'must be an e-mail address'),
    ...found(isTooLong, '.email', `has more than ${longest} characters, the most that ${name} takes`),
    ...found(contact.phone !== null && !looksLikePhone(contact.phone), '.phone', 'must be a telephone number'),
    ...changed.flatMap(({ given, sent }) => found(true, '', `"${given}" does not fit: ${name} would get "${sent}"`)),
  ];
}
