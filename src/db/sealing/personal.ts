/** Begins every sealed text and sealed bytes. */
export const MARK = '\u00a7wb1\u00a7';
/** The only member of a sealed JSON value. */
export const MEMBER = '\u00a7sealed';
/** Stands in front of a text that has the mark although it is not sealed. */
const ESCAPE = '\\';
const LOOKS_SEALED = /^\\*\u00a7wb1\u00a7/;
const ESCAPED = /^\\+\u00a7wb1\u00a7/;

/** Seals personal data on its way into the database; without a data key it changes nothing. */
export interface Seal {
  text(plain: string): string;
  bytes(plain: Uint8Array): Uint8Array;
  /** Of a member of a JSON column: a value that becomes JSON; `null` stays `null`. */
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
 * The values of a statement. Texts that are not personal may come from strangers: one that begins as a sealed one does
 * gets an escape in front, which `unescaped` removes.
 */
export function valuesFor(seal: Seal, values: readonly unknown[]): unknown[] {
  return values.map((value) => (value instanceof Personal ? value.valueFor(seal) : escaped(value)));
}

/** As `valuesFor`, where nothing is sealed. */
export function unsealedValues(values: readonly unknown[]): unknown[] {
  return valuesFor({ ...PLAIN, text: escapedText }, values);
}

function escaped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(escaped);
  return typeof value === 'string' ? escapedText(value) : value;
}

function escapedText(text: string): string {
  return LOOKS_SEALED.test(text) ? ESCAPE + text : text;
}

/** @param text as it is stored, not sealed */
export function unescaped(text: string): string {
  return ESCAPED.test(text) ? text.slice(ESCAPE.length) : text;
}
