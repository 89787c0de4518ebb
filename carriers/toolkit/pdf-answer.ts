import type { HttpAnswer, Label } from '../contract/index.js';
import { quoted } from '../contract/index.js';

const PDF_HEADER = '%PDF-';
/** Stores of files often know a PDF as a file of some kind only. */
const TYPES = ['application/pdf', 'application/octet-stream', 'binary/octet-stream'];

/**
 * The label in an answer, after a look at whether it is one: carriers answer pages and JSON with status 200 where a
 * PDF is expected.
 * @throws Error with the beginning of what came instead
 */
export function pdfLabel(answer: HttpAnswer): Label {
  const type = answer.headers['content-type'] ?? 'no content type';
  const header = new TextDecoder('latin1').decode(answer.body.subarray(0, PDF_HEADER.length));
  if (!TYPES.some((known) => type.startsWith(known)) || header !== PDF_HEADER)
    throw new Error(`expected a PDF, got ${type}: ${quoted(answer)}`);
  return { format: 'pdf', bytes: answer.body };
}
