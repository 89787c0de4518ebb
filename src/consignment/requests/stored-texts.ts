import { deflateSync, inflateSync } from 'node:zlib';
import { tryParseJson } from '../../../carriers/contract/json.js';
import type { KeptSide, KeptTexts } from './kept-request.js';

/*
 * The column `texts` of `consignment_request` is written and read here only. It holds personal data: it is sealed where a data
 * key is set, and set to null after some days (`src/retention`).
 */

/** The database takes more time for each byte than the quickest compression, which leaves a fifth of them. */
const QUICKEST = { level: 1 };
/** More than the texts of one run can take. */
const MAX_BYTES = 64_000_000;
/** Rows of the versions before are not compressed. */
const JSON_ARRAY = '['.charCodeAt(0);

/** The value of the column for the requests of one row, in their order: their JSON, compressed (RFC 1950). */
export function writeTexts(texts: readonly KeptTexts[]): Buffer {
  return deflateSync(JSON.stringify(texts), QUICKEST);
}

/** @param stored `null`: deleted @returns `null` where there are none */
export function readTexts(stored: Uint8Array | null): readonly KeptTexts[] | null {
  if (stored === null) return null;
  const json = stored[0] === JSON_ARRAY ? Buffer.from(stored) : inflateSync(stored, { maxOutputLength: MAX_BYTES });
  return (JSON.parse(json.toString('utf8')) as readonly KeptTexts[]).map(({ query, request, answer }) => ({
    ...{ query, request: readSide(request), answer: answer && readSide(answer) },
  }));
}

function readSide({ headers, body }: KeptSide): KeptSide {
  const value = body.kind === 'text' ? tryParseJson(body.text) : undefined;
  return { headers, body: value === undefined ? body : { kind: 'json', value } };
}
