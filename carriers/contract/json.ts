import { isSafeNumber, parse } from 'lossless-json';
import { storable } from './plain-text.js';

/**
 * Reads JSON without rounding: a number that a double cannot hold exactly (a 20-digit parcel number) comes back as text.
 * Every text in it, names of properties too, can be stored: see `storable`.
 * @param body UTF-8
 * @throws SyntaxError
 */
export function parseJson(body: Uint8Array | string): unknown {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return parse(text, (_key, value) => storableTexts(value), { parseNumber });
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [storable(name), inside]));
}
