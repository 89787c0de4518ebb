import { germany, netherlands, switzerland } from './continent.js';
import type { Country } from './country.js';
import { denmark } from './denmark.js';
import { finland } from './finland.js';
import { norway } from './norway.js';
import { sweden } from './sweden.js';

const COUNTRIES: readonly Country[] = [denmark, sweden, norway, finland, germany, netherlands, switzerland];

/** ISO 3166-1 alpha-2 codes of the countries that the generator has addresses for. */
export const COUNTRY_CODES: readonly string[] = COUNTRIES.map(({ code }) => code);

/** @throws Error when the generator has no addresses for the country */
export function countryOf(code: string): Country {
  const country = COUNTRIES.find((known) => known.code === code);
  if (country === undefined) throw new Error(`there are no invented persons for ${code}`);
  return country;
}
