import type { LabelFormat } from '../../carriers/contract/traits.js';

/** Before its header a PDF may have other bytes; before its first command a ZPL label may have settings of the printer. */
const LOOKED_AT = 4_096;
const ZPL_BEGINS = '^XA';
const PDF_BEGINS = '%PDF';

/** What the bytes of a stored label are; anything that is no ZPL counts as PDF, which is what labels always were. */
export function formatOf(bytes: Uint8Array): LabelFormat {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, LOOKED_AT)).toString(
    'latin1',
  );
  return beginning.includes(ZPL_BEGINS) && !beginning.includes(PDF_BEGINS) ? 'zpl' : 'pdf';
}

export const LABEL_TYPES: Readonly<Record<LabelFormat, string>> = { pdf: 'application/pdf', zpl: 'application/zpl' };
