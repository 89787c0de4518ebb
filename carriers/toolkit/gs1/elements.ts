import countries from 'i18n-iso-countries/index.js';
import type { Address } from '../../contract/index.js';
import { COMPANY_PREFIX } from './numbers.js';

/** GS1's character set 82, for a text of at most 30 characters. */
const REFERENCE = /^[!-"%-?A-Z_a-z]{1,30}$/;
const POSTAL_CODE = /^[0-9A-Z]{1,20}$/;
const POSTAL_CODE_ABROAD = /^[0-9A-Z]{1,9}$/;

/** An element string, e.g. `(420)7100`; `null`: the value is missing, or GS1 does not allow it. */
export type Element = string | null;

/** 420: the postal code of the destination. */
export function postalCodeElement({ postalCode }: Address): Element {
  const code = bare(postalCode);
  return POSTAL_CODE.test(code) ? `(420)${code}` : null;
}

/** 421: the destination's country as a number of ISO 3166-1, and its postal code. */
export function countryAndPostalCodeElement({ countryCode, postalCode }: Address): Element {
  const country = countries.alpha2ToNumeric(countryCode ?? '');
  const code = bare(postalCode);
  return country !== undefined && POSTAL_CODE_ABROAD.test(code) ? `(421)${country}${code}` : null;
}

/** 401: a consignment (GINC), by the company prefix and a reference of ours. */
export function consignmentElement(companyPrefix: string, reference: string): Element {
  const number = companyPrefix + reference;
  return COMPANY_PREFIX.test(companyPrefix) && REFERENCE.test(number) ? `(401)${number}` : null;
}

function bare(postalCode: string | null): string {
  return (postalCode ?? '').toUpperCase().replace(/[\s-]/g, '');
}
