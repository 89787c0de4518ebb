import type { HttpAnswer, Label } from '../../contract/index.js';
import { quoted } from '../../contract/index.js';

const PDF_HEADER = '%PDF-';
/** File stores often send a PDF with a general content type. */
const TYPES = ['application/pdf', 'application/octet-stream', 'binary/octet-stream'];

/**
 * The label in an answer. Checks that it is a PDF, because carriers send pages and JSON with status 200 instead. A
 * missing content type counts as a PDF's.
 * @throws Error with the beginning of what came instead; `defineCarrier` makes it a CarrierUnavailable, because a
 *   maintenance page disappears
 */
export function pdfLabel(answer: HttpAnswer): Label {
  const type = answer.headers['content-type'];
  const header = new TextDecoder('latin1').decode(answer.body.subarray(0, PDF_HEADER.length));
  if (!mayBePdf(type) || header !== PDF_HEADER)
    throw new Error(`expected a PDF, got ${type || 'no content type'}: ${quoted(answer)}`);
  return { format: 'pdf', bytes: answer.body };
}

const ZPL_BEGINS = '^XA';
const ZPL_ENDS = '^XZ';
/** ZPL may have settings of the printer before its first command, so that many bytes are searched for it. */
const LOOKED_AT = 4_096;

/** The label in an answer that may be ZPL; `null`: it is no whole ZPL. */
export function zplLabel({ body }: Pick<HttpAnswer, 'body'>): Label | null {
  const text = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);
  const [beginning, end] = [body.subarray(0, LOOKED_AT), body.subarray(-LOOKED_AT)];
  const isZpl = text(beginning).includes(ZPL_BEGINS) && text(end).trimEnd().endsWith(ZPL_ENDS);
  return isZpl ? { format: 'zpl', bytes: body } : null;
}

const NOT_BASE64 = /[^A-Za-z0-9+/=\s]/;

/**
 * The label that stands in an answer as base64, as it came, because a carrier may print nothing twice; what is no ZPL is taken
 * for a PDF.
 * @returns empty: there is none
 */
export function labelsInBase64(base64: string | null): readonly Label[] {
  if (base64 === null || NOT_BASE64.test(base64)) return [];
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  return bytes.length > 0 ? [zplLabel({ body: bytes }) ?? { format: 'pdf', bytes }] : [];
}

function mayBePdf(type: string | undefined): boolean {
  return !type || TYPES.some((known) => type.toLowerCase().startsWith(known));
}
