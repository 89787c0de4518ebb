/** Makes white space single, and a letter with its accents one character (NFC). */
export function tidy(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** A house number: `12`, `12 B`, `114-116`, `7/9`; it must not be cut. */
export const HOUSE_NUMBER = /\d+(?:\s*[-–/]\s*\d+)*(?:\s?\p{L}(?![\p{L}\d]))?/gu;

/** Separators between two words, which are dropped at a cut. */
const END_OF_WORD = /[,;]* /g;

/**
 * Shortens a text at the last whole word that fits, or inside the first word when that is too long; never inside a
 * house number that follows other text. Makes white space single.
 * @returns at most `maxLength` characters; `''` for an empty text
 */
export function cut(text: string, maxLength: number): string {
  const whole = tidy(text);
  if (whole.length <= maxLength) return whole;
  const numbers = Array.from(whole.matchAll(HOUSE_NUMBER), ({ 0: number, index }) => ({
    start: index,
    end: index + number.length,
  }));
  const around = (at: number) => numbers.find(({ start, end }) => start < at && at < end);
  const words = Array.from(whole.matchAll(END_OF_WORD), ({ index }) => index);
  const lastWord = words.filter((at) => at > 0 && at <= maxLength && !around(at)).at(-1);
  const end = lastWord ?? (around(maxLength)?.start || maxLength);
  return withoutHalves(whole.slice(0, end)).replace(/[\s,;]+$/, '');
}

/** Drops the lone surrogate that a cut through a character such as an emoji leaves. */
function withoutHalves(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

/** The texts that are not blank, in their order. */
export function said(...texts: readonly (string | null | undefined)[]): readonly string[] {
  return texts.map((text) => text?.trim() ?? '').filter((text) => text !== '');
}

/** The names whose condition holds, in their order: numbers come first. */
export function thatHold(conditions: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(conditions).filter((name) => Boolean(conditions[name]));
}

/** The name with `c/o` before it, once; `null`: no name. */
export function careOfLine(careOf: string | null): string | null {
  const name = careOf?.trim() ?? '';
  if (name === '') return null;
  return /^c\/?o\b/i.test(name) ? name : `c/o ${name}`;
}

/** The first number behind a word: "10. Februar Vej 1" has number 1, "Testgade 12, 2. tv" number 12. */
export function streetAndNumber(street: string): readonly [street: string, number: string | null] {
  const found = [...street.matchAll(HOUSE_NUMBER)].find(({ index }) => /\p{L}/u.test(street.slice(0, index)));
  return found === undefined ? [street, null] : [street.slice(0, found.index).trim(), found[0]];
}

/** A street as a question for places near it has it. @param names of the street and of its number, which may be missing */
export function streetQuery(
  given: string | null,
  [name, number]: readonly [name: string, number: string],
): Readonly<Record<string, string>> {
  const [street, house] = streetAndNumber(given ?? '');
  return { ...(street && { [name]: street }), ...(house && { [number]: house }) };
}

const LANGUAGES: Readonly<Record<string, string>> = { DK: 'da', SE: 'sv', NO: 'no', FI: 'fi' };

/** The language of messages to people in a country, of the Nordic ones; `en` for all others. */
export function languageOf(countryCode: string | null): string {
  return LANGUAGES[countryCode ?? ''] ?? 'en';
}

interface CallingCode {
  readonly code: string;
  /** The trunk prefix, dialled inside the country only; '': none. */
  readonly trunk: string;
  /** The most digits of a number after the code. */
  readonly longest: number;
}

const CALLING_CODES: Readonly<Record<string, CallingCode>> = {
  DK: { code: '45', trunk: '', longest: 8 },
  NO: { code: '47', trunk: '', longest: 8 },
  SE: { code: '46', trunk: '0', longest: 9 },
  FI: { code: '358', trunk: '0', longest: 10 },
  DE: { code: '49', trunk: '0', longest: 11 },
  NL: { code: '31', trunk: '0', longest: 9 },
};

/**
 * A telephone number as `+4518123456`, where the number and its country determine that. An international number keeps
 * its country; a number of an unknown form stays as digits.
 * @param countryCode ISO 3166-1 alpha-2 of the number's owner
 */
export function internationalPhone(phone: string, countryCode: string | null): string {
  const digits = phone.replace(/\(0\)/, '').replace(/[^\d+]/g, '');
  if (/^(\+|00)/.test(digits)) return digits.replace(/^00/, '+');
  const country = CALLING_CODES[countryCode ?? ''];
  if (!country || digits === '') return digits;
  // longer than a number without it can be
  const hasCode = digits.startsWith(country.code) && digits.length > country.longest;
  if (hasCode) return `+${digits}`;
  const trunk = country.trunk !== '' && digits.startsWith(country.trunk) ? country.trunk.length : 0;
  return `+${country.code}${digits.slice(trunk)}`;
}

/** @param phone as `internationalPhone` writes it: Danish numbers become eight digits, as Danish services have them */
export function withoutDanishCode(phone: string): string {
  return phone.replace(/^\+45/, '');
}
