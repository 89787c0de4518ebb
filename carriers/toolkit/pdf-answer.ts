import type { HttpAnswer, Label } from '../contract/index.js';
import { quoted } from '../contract/index.js';

const PDF_HEADER = '%PDF-';
/** Stores of files often know a PDF as a file of some kind only. */
const TYPES = ['application/pdf', 'application/octet-stream', 'binary/octet-stream'];

/**
 * The label in an answer, after a look at whether it is one: carriers answer pages and JSON with status 200 where a
 * PDF is expected. A type that is not told is no reason to doubt a PDF.
 * @throws Error with the beginning of what came instead; `during('read', ...)` makes it a CarrierUnavailable: a page of
 *   maintenance passes
 */
export function pdfLabel(answer: HttpAnswer): Label {
  const type = answer.headers['content-type'];
  const header = new TextDecoder('latin1').decode(answer.body.subarray(0, PDF_HEADER.length));
  if (!mayBePdf(type) || header !== PDF_HEADER)
    throw new Error(`expected a PDF, got ${type || 'no content type'}: ${quoted(answer)}`);
  return { format: 'pdf', bytes: answer.body };
}

function mayBePdf(type: string | undefined): boolean {
  return !type || TYPES.some((known) => type.toLowerCase().startsWith(known));
}
