import type { Label } from '../contract/index.js';

const NOT_BASE64 = /[^A-Za-z0-9+/=\s]/;

/**
 * The labels of a booking: one PDF that should have a page for each parcel, in the order of the request. Whatever came
 * is handed on: GLS prints nothing twice, and even a PDF with a page too few holds labels.
 * @param base64 as GLS sends it; `null` when it sent none
 * @returns empty when there is nothing in it
 */
export function labelsFrom(base64: string | null): readonly Label[] {
  if (base64 === null || NOT_BASE64.test(base64)) return [];
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  return bytes.length > 0 ? [{ format: 'pdf', bytes }] : [];
}
