/** Reads values out of JSON that somebody else wrote, without believing anything about its shape. */

/** What is at the end of a path of property names and list positions; `undefined` when a step is missing. */
export function valueAt(json: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, step) => child(value, step), json);
}

/** A text that is not empty, or a number as text (some carriers send identifiers and codes as either); else `null`. */
export function textAt(json: unknown, ...path: readonly (string | number)[]): string | null {
  const value = valueAt(json, ...path);
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
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

function child(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, step)?.value;
}
