import { PDFDocument } from 'pdf-lib';
import type { Label } from '../contract/index.js';

/**
 * The labels of a booking: one PDF, one page for each parcel, in the order of the request.
 * @param base64 as GLS sends it; `null` when it sent none
 * @returns empty when what came is not that: a page less is a parcel without a label, and nobody would notice
 */
export async function labelsFrom(base64: string | null, parcels: number): Promise<readonly Label[]> {
  const bytes = new Uint8Array(Buffer.from(base64 ?? '', 'base64'));
  return (await pagesIn(bytes)) === parcels ? [{ format: 'pdf', bytes }] : [];
}

/** The booking stands whatever the PDF is like, so an unreadable one must not become an error. */
async function pagesIn(bytes: Uint8Array): Promise<number> {
  try {
    return (await PDFDocument.load(bytes, { updateMetadata: false })).getPageCount();
  } catch {
    return 0;
  }
}
