import { germany, netherlands, switzerland } from './continent.js';
import type { Country } from './country.js';
import { denmark } from './denmark.js';
import { finland } from './finland.js';
import { norway } from './norway.js';
import { sweden } from './sweden.js';

const COUNTRIES: readonly Country[] = [denmark, sweden, norway, finland, germany, netherlands, switzerland];

/** ISO 3166-1 alpha-2 of every country that people can be invented in. */
export const COUNTRY_CODES: readonly string[] = COUNTRIES.map(({ code }) => code);

/** @throws Error nobody can be invented there */
export function countryOf(code: string): Country {
  const country = COUNTRIES.find((known) => known.code === code);
  if (country === undefined) throw new Error(`nobody can be invented in ${code}`);
  return country;
}
