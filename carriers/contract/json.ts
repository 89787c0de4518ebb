import { isSafeNumber, parse } from 'lossless-json';

/**
 * Reads JSON without rounding: a number that a double cannot hold exactly (a 20-digit parcel number) comes back as text.
 * @param body UTF-8
 * @throws SyntaxError
 */
export function parseJson(body: Uint8Array | string): unknown {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return parse(text, undefined, (digits) => (isSafeNumber(digits) ? Number(digits) : digits));
}

/** As `parseJson`; `undefined` for what is not JSON. */
export function tryParseJson(body: Uint8Array | string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
