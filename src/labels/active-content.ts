import { type PDFContext, PDFArray, PDFDict, PDFName, type PDFObject, PDFStream } from 'pdf-lib';
import { inflateSync } from 'node:zlib';
import { flateStreams, isZlib } from './inflated-size.js';

/** Names of PDF 1.7 and 2.0. A file without them has no actions, no hidden content and no outside content. Includes the filters that hide names. */
const SUSPICIOUS = [
  ...[
    'AA',
    'AF',
    'AcroForm',
    // The PDF library writes an empty list.
    'Annots(?!\\s*\\[\\s*\\])',
    'Collection',
    'EF',
    'EmbeddedFile',
    'EmbeddedFiles',
    'Encrypt',
    'GoToE',
    'GoToR',
  ],
  ...['ImportData', 'JS', 'JavaScript', 'Launch', 'Movie', 'Names', 'OpenAction', 'Outlines', 'PS', 'Ref', 'Rendition'],
  ...['RichMedia', 'RichMediaContent', 'Sound', 'SubmitForm', 'Thread', 'Threads', 'URI', 'XFA'],
  ...['ASCII85Decode', 'ASCIIHexDecode', 'Crypt', 'LZWDecode', 'RunLengthDecode'],
];
/** A name ends before white space, a delimiter, or the end: PDF 1.7, 7.2.2. */
const NAMES = new RegExp(`/(?:${SUSPICIOUS.join('|')})(?=[\\s\\0()<>\\[\\]{}/%]|$)`);
/** Bytes; far more than a label has. A larger file is not searched. */
const MAX_LOOKED_THROUGH_BYTES = 20_000_000;

/** Values of `S` in action dictionaries: PDF 2.0, table 201. */
const ACTIONS = new Set([
  ...[
    'GoToE',
    'GoToR',
    'ImportData',
    'JavaScript',
    'Launch',
    'Movie',
    'Rendition',
    'RichMediaExecute',
    'Sound',
    'SubmitForm',
    'URI',
  ],
]);

/**
 * Whether a PDF may contain actions or attached files, or hides its content. Searches the bytes instead of the objects that
 * our library finds, because a printer's reader may find other objects in the same file (an older version of an object, one
 * inside a stream). When unsure it is `true`, and the label is written anew.
 */
export function mayAct(pdf: Buffer): boolean {
  if (pdf.length > MAX_LOOKED_THROUGH_BYTES) return true;
  const text = pdf.toString('latin1');
  // A predictor changes the bytes before compression, so names cannot be found.
  if (hasName(text) || (text.includes('/ObjStm') && text.includes('/Predictor'))) return true;
  let left = MAX_LOOKED_THROUGH_BYTES;
  let seen = 0;
  for (const packed of flateStreams(pdf)) {
    const unpacked = unpack(packed, left);
    if (unpacked === null || isZlib(unpacked, 0) || hasName(unpacked.toString('latin1'))) return true;
    left -= unpacked.length;
    seen += 1;
  }
  return seen < text.split('/FlateDecode').length - 1;
}

function hasName(text: string): boolean {
  if (NAMES.test(text)) return true;
  if (!text.includes('#')) return false;
  const plain = text.replace(/#([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return NAMES.test(plain);
}

function unpack(packed: Buffer, most: number): Buffer | null {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(most, 1) });
  } catch {
    return null;
  }
}

/**
 * Finds what a page draws with and what cannot be removed without changing the print: programs, files, parts of other files.
 * @returns the end of the sentence "label 1 of 2 …"; `null` when there is none
 */
export function findForeign(context: PDFContext): string | null {
  try {
    return firstOf(context.enumerateIndirectObjects().map(([, object]) => foreignIn(object)));
  } catch (error) {
    if (error instanceof RangeError) return 'is broken: it is nested without end';
    throw error;
  }
}

function foreignIn(object: PDFObject): string | null {
  if (object instanceof PDFStream) return foreignStream(object.dict) ?? foreignIn(object.dict);
  if (object instanceof PDFArray) return firstOf(object.asArray().map(foreignIn));
  if (!(object instanceof PDFDict)) return null;
  const action = object.get(PDFName.of('S'));
  if (object.has(PDFName.of('EF')) || (action instanceof PDFName && ACTIONS.has(action.decodeText())))
    return 'has a program or a file inside its drawing';
  return firstOf(object.values().map(foreignIn));
}

function foreignStream(dict: PDFDict): string | null {
  const is = (key: string, name: string) => dict.lookup(PDFName.of(key)) === PDFName.of(name);
  if (is('Type', 'EmbeddedFile')) return 'has a file inside its drawing';
  if (dict.has(PDFName.of('F')) || (is('Subtype', 'Form') && dict.has(PDFName.of('Ref'))))
    return 'takes a part of it from another file';
  return is('Subtype', 'PS') || is('Subtype2', 'PS') ? 'has a program for printers inside' : null;
}

function firstOf(found: readonly (string | null)[]): string | null {
  return found.find((each) => each !== null) ?? null;
}
