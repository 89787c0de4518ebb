import { closestMatch } from 'leven';

/** The limit of a sentence that a carrier says about a booking or a parcel. */
export const MAX_TEXT_CHARACTERS = 1_000;
/** The limit of a code, a place or a time. */
export const MAX_WORD_CHARACTERS = 200;
const MAX_LINK_CHARACTERS = 2_000;

/** Marks that change the direction in which the text around them is shown, and marks that are not shown at all. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const BLANKS = /[\s\p{Cc}]+/gu;
const NOT_IN_A_LINK = /[\s\p{Cc}\p{Cf}<>"\\^`{|}]/u;

/**
 * An outside text as it is stored, logged and shown: one line, without control characters and marks of direction, and
 * no longer than a person reads.
 */
export function plainText(text: string, maxCharacters = MAX_TEXT_CHARACTERS): string {
  // Cut first, or a body of megabytes would be worked through: no character of it has more than two units.
  const beginning = text.slice(0, 4 * maxCharacters);
  const line = storable(beginning.replace(INVISIBLE, '').replace(BLANKS, ' ').trim());
  const characters = Array.from(line);
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}

/** An outside link that people may follow, unchanged; `null`: not the address of a page. */
export function plainLink(link: string | null): string | null {
  if (link === null || link.length > MAX_LINK_CHARACTERS || NOT_IN_A_LINK.test(link)) return null;
  // Without the slashes the parser takes the first part of the path for the host.
  if (!/^https?:\/\/[^/?#@]+([/?#]|$)/i.test(link) || !URL.canParse(link)) return null;
  return link;
}

/**
 * The known word that a misspelled one most likely means, whatever the case of its letters.
 * @param maxEdits letters that may be wrong, missing or too many
 * @returns `null`: no known word is that close
 */
export function nearestWord(word: string, known: readonly string[], maxEdits: number): string | null {
  const inLowerCase = known.map((each) => each.toLowerCase());
  const nearest = closestMatch(word.toLowerCase(), inLowerCase, { maxDistance: maxEdits });
  return known.find((_each, n) => inLowerCase[n] === nearest) ?? null;
}

/**
 * A text as databases take it. JSON can write NUL and halves of a character (`\u0000`, `\ud800`), and a booking whose
 * answer cannot be stored would be an unknown booking.
 * @returns well-formed Unicode without NUL; U+FFFD stands for what was none
 */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
