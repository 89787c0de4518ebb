/** Begins every sealed text and sealed bytes. */
export const MARK = '\u00a7wb1\u00a7';
export const MARK_BYTES = Buffer.from(MARK);
/** The only member of a sealed JSON value. */
export const MEMBER = '\u00a7sealed';
/** Stands in front of a text that has the mark although it is not sealed. */
const ESCAPE = '\\';
const ESCAPE_BYTE = ESCAPE.charCodeAt(0);
const LOOKS_SEALED = /^\\*\u00a7wb1\u00a7/;
const ESCAPED = /^\\+\u00a7wb1\u00a7/;

/** A text that this process sealed: it is stored as it is, where a stranger's text with the mark gets an escape. */
export class SealedText {
  constructor(readonly text: string) {}
}

/** Seals personal data on its way into the database; without a data key it changes nothing. */
export interface Seal {
  text(plain: string): string | SealedText;
  bytes(plain: Uint8Array): Uint8Array;
  /** Seals a member of a JSON column: a value that becomes JSON; `null` stays `null`. */
  json(plain: unknown): unknown;
}

/**
 * A parameter of a statement that holds personal data. What is sealed in it comes back opened from every query, whatever
 * the column: docs/retention.md has the list.
 */
export class Personal {
  constructor(readonly valueFor: (seal: Seal) => unknown) {}
}

const PLAIN: Seal = { text: (plain) => plain, bytes: (plain) => plain, json: (plain) => plain };

/** The values of a statement as the database itself takes them: what is left to seal stays as it is. */
export function plainValues(values: readonly unknown[]): unknown[] {
  return values.map((value) => (value instanceof Personal ? value.valueFor(PLAIN) : value));
}

/**
 * The values of a statement. Texts and bytes that are not sealed may come from strangers: what begins as sealed ones do
 * gets an escape in front, which `unescaped` removes; `asJsonb` does so for the texts in JSON.
 */
export function valuesFor(seal: Seal, values: readonly unknown[]): unknown[] {
  return values.map((value) => escaped(value instanceof Personal ? value.valueFor(seal) : value));
}

/** Prepares values as `valuesFor` does, without sealing any. */
export function unsealedValues(values: readonly unknown[]): unknown[] {
  return valuesFor({ ...PLAIN, bytes: escapedBytes }, values);
}

function escaped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(escaped);
  if (value instanceof SealedText) return value.text;
  return typeof value === 'string' ? escapedText(value) : value;
}

/** @returns the text as it is stored: never one that begins as a sealed one */
export function escapedText(text: string): string {
  return LOOKS_SEALED.test(text) ? ESCAPE + text : text;
}

function escapedBytes(bytes: Uint8Array): Uint8Array {
  return escapesOf(bytes) === null ? bytes : Buffer.concat([Buffer.from(ESCAPE), bytes]);
}

/** @param text as it is stored, not sealed */
export function unescaped(text: string): string {
  return ESCAPED.test(text) ? text.slice(ESCAPE.length) : text;
}

/** @param bytes as they are stored, not sealed */
export function unescapedBytes(bytes: Uint8Array): Uint8Array {
  return (escapesOf(bytes) ?? 0) > 0 ? bytes.subarray(ESCAPE.length) : bytes;
}

/** How many escapes stand before the mark; `null`: there is no mark. */
function escapesOf(bytes: Uint8Array): number | null {
  let place = 0;
  while (bytes[place] === ESCAPE_BYTE) place += 1;
  return MARK_BYTES.equals(bytes.subarray(place, place + MARK_BYTES.length)) ? place : null;
}
