/** Reads values out of foreign JSON, without trusting its shape. */

const QUOTED_CHARACTERS = 300;

/** The value at a path of property names and list positions; `undefined`: a step is missing. */
export function valueAt(json: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, step) => child(value, step), json);
}

/** A text that is not empty, or a number as text (some carriers send identifiers and codes as either); else `null`. */
export function textAt(json: unknown, ...path: readonly (string | number)[]): string | null {
  const value = valueAt(json, ...path);
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}

/** A path of names with dots, such as `address.city`; of several the first one with a text counts. */
export type Place = string | readonly string[];

/** As `textAt`, at a place. */
export function textIn(json: unknown, place: Place): string | null {
  const texts = [place].flat().map((path) => textAt(json, ...path.split('.')));
  return texts.find((text) => text !== null) ?? null;
}

/** A finite number; a text is not read as one. */
export function numberAt(json: unknown, ...path: readonly (string | number)[]): number | null {
  const value = valueAt(json, ...path);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A list, or an empty one when there is none. */
export function listAt(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = valueAt(json, ...path);
  return Array.isArray(value) ? value : [];
}

/**
 * A required text of an answer.
 * @throws Error with the beginning of what came instead
 */
export function neededAt(json: unknown, ...path: readonly (string | number)[]): string {
  const text = textAt(json, ...path);
  if (text === null) throw unexpected(json, path.join('.'));
  return text;
}

/** A required list of an answer. @throws Error as `neededAt` */
export function neededList(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const list = valueAt(json, ...path);
  if (!Array.isArray(list)) throw unexpected(json, path.join('.'));
  return list;
}

/** The error text for an answer without a required value, with the beginning of the answer. */
export function unexpected(json: unknown, missing: string): Error {
  // Cut first: a label of megabytes may be in it.
  const beginning = Array.from((JSON.stringify(json) ?? '').slice(0, 2 * QUOTED_CHARACTERS))
    .slice(0, QUOTED_CHARACTERS)
    .join('');
  return new Error(`an answer without ${missing}: ${beginning}`);
}

function child(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, step)?.value;
}
