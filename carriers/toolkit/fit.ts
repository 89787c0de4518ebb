import anyAscii from 'any-ascii';
import type { FieldName, TextChange } from '../contract/index.js';
import { HOUSE_NUMBER, cut, internationalPhone, said, tidy } from './text.js';

/** The limits of a carrier's field. */
export interface FieldLimit {
  /** The most characters. */
  readonly longest: number;
  /** Matches one allowed character. */
  readonly letters: RegExp;
}

/**
 * A carrier's text fields by its own names, each with its content and its limits. The mapping, the text changes and the
 * simulator's limits all read this table.
 */
export type FieldTable = Readonly<Record<string, { readonly means: FieldName } & Partial<FieldLimit>>>;

/** Whether a field takes a text as it is. */
export function takes(text: string, { longest, letters }: FieldLimit): boolean {
  return text.length <= longest && Array.from(text).every((letter) => letters.test(letter));
}

/** ISO 8859-1 without its control characters: the letters of Western Europe, æ, ø, å, ä and ö among them. */
export const LATIN_1 = /[\u0020-\u007E\u00A0-\u00FF]/;

/** A text before and after it was fitted into a carrier's field. */
export interface Fit {
  readonly given: string;
  readonly sent: string;
  /** `null`: the text is unchanged. */
  readonly kind: TextChange['kind'] | null;
  readonly meaningLost: boolean;
}

/** The texts that are not blank, as one line within the field's limits. */
export function fit(texts: readonly (string | null)[], limit: FieldLimit): Fit {
  const given = tidy(said(...texts).join(', '));
  const printable = transliterate(given, limit.letters);
  const sent = cut(printable.text, limit.longest);
  const rest = printable.text.slice(sent.length);
  const kind = rest === '' ? null : 'cut';
  return {
    given,
    sent,
    kind: kind ?? (sent === given ? null : 'transliterated'),
    meaningLost: printable.meaningLost || isMissed(rest),
  };
}

/**
 * A street in the first address line. Its end, which a driver needs most, is not cut off: what does not fit is returned
 * for the next line.
 * @returns `rest` is `''` when all of it fits
 */
export function fitStreet(street: string | null, limit: FieldLimit): { readonly first: Fit; readonly rest: string } {
  const given = tidy(street ?? '');
  const { text, meaningLost } = transliterate(given, limit.letters);
  const sent = cut(text, limit.longest);
  const first: Fit = { given, sent, kind: text === given ? null : 'transliterated', meaningLost };
  return { first, rest: text.slice(sent.length).replace(/^[\s,;]+/, '') };
}

/**
 * The line under a street: the rest of the street, and the other parts of the address. Where they do not fit together,
 * the end of the street's name is cut first, before the house number and the part next to it.
 * @param rest from `fitStreet`
 */
export function fitBelowStreet(rest: string, parts: readonly (string | null)[], limit: FieldLimit): Fit {
  const plain = fit([rest, ...parts], limit);
  const number = rest.slice(Array.from(rest.matchAll(HOUSE_NUMBER)).at(-1)?.index ?? rest.length);
  const next = fit(parts.slice(0, 1), limit).sent;
  if (said(rest, next).join(', ').length <= limit.longest) return plain;
  const kept = cut(said(number, next).join(', '), limit.longest);
  const between = number === '' ? ', ' : ' ';
  const room = limit.longest - between.length - kept.length;
  const name = room > 0 ? cut(rest.slice(0, rest.length - number.length), room) : '';
  return { ...plain, sent: said(name, kept).join(between), kind: 'cut', meaningLost: true };
}

/** A telephone number. Another notation of the same number is no change; a text without a digit is dropped. */
export function fitPhone(phone: string | null, countryCode: string | null): Fit {
  const given = tidy(phone ?? '');
  const sent = internationalPhone(given, countryCode);
  const isLost = given !== '' && sent === '';
  return { given, sent, kind: isLost ? 'dropped' : null, meaningLost: isLost };
}

/** A text for which the carrier has no field. */
export function withoutField(text: string | null, meaningLost: 'meaning-lost' | 'meaning-kept'): Fit {
  const given = tidy(text ?? '');
  const isLost = given !== '' && meaningLost === 'meaning-lost';
  return { given, sent: '', kind: given === '' ? null : 'dropped', meaningLost: isLost };
}

/** Texts in the carrier's fields of these names, each cut to what its field takes. */
export function fitAll<Texts extends Readonly<Record<string, string | null>>>(
  texts: Texts,
  fields: { readonly [Name in keyof Texts]: FieldLimit },
): Readonly<Record<keyof Texts & string, Fit>> {
  const fitted = Object.entries(texts).map(([name, text]) => [name, fit([text], fields[name] as FieldLimit)]);
  return Object.fromEntries(fitted) as Record<keyof Texts & string, Fit>;
}

/** The texts without those that may not be cut and are too long, for a carrier that can do without them. */
export function withoutTooLong<Texts extends Readonly<Record<string, Fit>>>(texts: Texts, fields: FieldTable): Texts {
  const kept = Object.entries(texts).map(([name, text]) => {
    const isTooLong = text.sent.length > (fields[name]?.longest ?? Infinity);
    return [name, isTooLong ? withoutField(text.given, 'meaning-lost') : text];
  });
  return Object.fromEntries(kept) as Texts;
}

/** @param owner whose fields they are, e.g. `recipient` */
export function textChangesIn(owner: string, fields: Readonly<Record<string, Fit>>): readonly TextChange[] {
  return Object.entries(fields).flatMap(([field, { given, sent, kind, meaningLost }]) =>
    kind === null ? [] : [{ field: `${owner}.${field}`, given, sent, kind, meaningLost }],
  );
}

/** Whether a reader misses the rest: digits, a separate part, or more than one word. */
function isMissed(rest: string): boolean {
  return /[\p{N},]/u.test(rest) || /\S\s+\S/.test(rest);
}

interface Printable {
  readonly text: string;
  readonly meaningLost: boolean;
}

/** @param given tidy */
function transliterate(given: string, letters: RegExp): Printable {
  const all = Array.from(given);
  if (all.every((letter) => letters.test(letter))) return { text: given, meaningLost: false };
  const substitutes = all.map((letter) => ({ letter, text: substituteFor(letter, letters) }));
  const meaningLost = substitutes.some(({ letter, text }) => /[\p{L}\p{N}]/u.test(letter) && /^\??$/.test(text));
  return { text: tidy(substitutes.map(({ text }) => text).join('')), meaningLost };
}

/** The substitute of a character; emoji are left out, because their names are no part of an address. */
function substituteFor(letter: string, letters: RegExp): string {
  if (letters.test(letter)) return letter;
  if (/\p{Extended_Pictographic}/u.test(letter)) return '';
  return Array.from(anyAscii(letter))
    .filter((each) => letters.test(each))
    .join('');
}
