import type { KeptTexts } from './kept-request.js';

/*
 * The column `texts` of `consignment_request` is written and read here only. It holds personal data: it is sealed where a data
 * key is set, and set to null after some days (`src/retention`).
 */

/** The value of the column for the requests of one row, in their order. */
export function writeTexts(texts: readonly KeptTexts[]): Buffer {
  return Buffer.from(JSON.stringify(texts));
}

/** @param stored `null`: deleted @returns `null` where there are none */
export function readTexts(stored: Uint8Array | null): readonly KeptTexts[] | null {
  if (stored === null) return null;
  return JSON.parse(Buffer.from(stored).toString('utf8')) as readonly KeptTexts[];
}
