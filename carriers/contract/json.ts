import { isSafeNumber, parse } from 'lossless-json';
import { storable } from './plain-text.js';

/** A JSON object whose members have not been checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object: neither an array nor `null`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads JSON without rounding: a number that a double cannot hold exactly (a 20-digit parcel number) comes back as text.
 * Every text in it, names of properties too, can be stored: see `storable`.
 * @param body UTF-8
 * @throws SyntaxError
 */
export function parseJson(body: Uint8Array | string): unknown {
  const text = typeof body === 'string' ? body : UTF8.decode(body);
  if (isPlain(text)) return JSON.parse(text) as unknown;
  const { short, aside } = withoutLabels(text);
  return putBack(
    parse(short, (_key, value) => storableTexts(value), { parseNumber }),
    aside,
  );
}

const UTF8 = new TextDecoder();
/** A number that a double may not hold exactly: of sixteen characters or more, or with an exponent. */
const LONG_NUMBER = /[:[,]\s*-?[\d.]*(?:[\d.]{16}|[eE])/;
/** A whole text that is such a number. */
const ONLY_A_LONG_NUMBER = /^\s*-?[\d.]*(?:[\d.]{16}|[eE])/;
/** NUL, half of a character, and the name that is no ordinary property. */
const NOT_STORABLE = /\\u(?:0000|d[89a-f])|__proto__/i;
/** JSON with more opening brackets is left to the exact reader, which refuses what is nested too deep. */
const MAX_OPENINGS = 1_000;

/** Whether `JSON.parse`, which takes a tenth of the time, reads the same in it as the exact reader. */
function isPlain(text: string): boolean {
  if (LONG_NUMBER.test(text) || ONLY_A_LONG_NUMBER.test(text)) return false;
  return !NOT_STORABLE.test(text) && text.isWellFormed() && openingsIn(text) <= MAX_OPENINGS;
}

function openingsIn(text: string): number {
  let count = 0;
  for (const opening of ['[', '{'])
    for (
      let place = text.indexOf(opening);
      place >= 0 && count <= MAX_OPENINGS;
      place = text.indexOf(opening, place + 1)
    )
      count += 1;
  return count;
}

/** Labels in base 64, of which the exact reader would read each letter: it takes two seconds for ten megabytes. */
const MIN_LABEL_CHARACTERS = 10_000;
const NOT_BASE_64 = /[^A-Za-z0-9+/=\\]/;
/** More quotation marks than an answer with labels has. */
const MAX_QUOTES = 20_000;
/** Stands for a label; no text of an answer has it. */
const ASIDE = '\uE000aside\uE001';

/** Two quotes around so many letters of base 64 belong to one text: a comma or colon stands between two texts. */
function withoutLabels(text: string): { readonly short: string; readonly aside: readonly string[] } {
  const pieces = text.length < MIN_LABEL_CHARACTERS ? [] : text.split('"', MAX_QUOTES);
  const aside: string[] = [];
  if (pieces.length === MAX_QUOTES || text.includes(ASIDE)) return { short: text, aside };
  const isQuoted = (place: number) =>
    place > 0 && place < pieces.length - 1 && !pieces.slice(place - 1, place + 1).some((each) => each.endsWith('\\'));
  const short = pieces.map((piece, place) => {
    if (piece.length < MIN_LABEL_CHARACTERS || !isQuoted(place) || NOT_BASE_64.test(piece)) return piece;
    // Slashes and ends of lines may be written with a backslash.
    return `${ASIDE}${aside.push(storable(JSON.parse(`"${piece}"`) as string)) - 1}`;
  });
  return aside.length === 0 ? { short: text, aside } : { short: short.join('"'), aside };
}

/** Puts texts that were set aside back into a value that was read; names of properties may be such texts too. */
function putBack(value: unknown, aside: readonly string[]): unknown {
  if (aside.length === 0) return value;
  const back = (text: string) => (text.startsWith(ASIDE) ? (aside[Number(text.slice(ASIDE.length))] ?? text) : text);
  if (typeof value === 'string') return back(value);
  if (Array.isArray(value)) return value.map((each: unknown) => putBack(each, aside));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [back(name), putBack(inside, aside)]));
}

/** As `parseJson`; `undefined`: not JSON. */
export function tryParseJson(body: Uint8Array | string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

function parseNumber(digits: string): number | string {
  return isSafeNumber(digits) ? Number(digits) : digits;
}

/** @param value its members are converted already */
function storableTexts(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [storable(name), inside]));
}
