import type { PDFPage } from 'pdf-lib';
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream, decodePDFRawStream } from 'pdf-lib';
import type { Label } from '../contract/index.js';

/** Strings in the operators of a page: `<hex>` and `(literal)`; `<<` begins a dictionary. */
const STRINGS = /(?<!<)<([0-9A-Fa-f\s]+)>(?!>)|\(((?:\\[^]|[^\\()])*)\)/g;

/**
 * The text of each page, in their order: what its operators write in a font of one byte a letter, without spaces between its
 * pieces. Text that is drawn as lines, or in a font of glyph numbers, is not seen.
 */
export async function pageTexts(labels: readonly Label[]): Promise<readonly string[]> {
  const files = await Promise.all(labels.map((label) => PDFDocument.load(new Uint8Array(label.bytes))));
  return files.flatMap((file) => file.getPages()).map((page) => streamsOf(page).map(textIn).join(''));
}

/** Its content, and the forms that it draws. */
function streamsOf({ node }: PDFPage): readonly PDFRawStream[] {
  const content = node.Contents();
  const parts = content instanceof PDFArray ? content.asArray() : [content];
  const forms = node.Resources()?.lookupMaybe(PDFName.of('XObject'), PDFDict)?.values() ?? [];
  return [...parts, ...forms]
    .map((part) => node.context.lookup(part))
    .filter((part): part is PDFRawStream => part instanceof PDFRawStream)
    .filter(({ dict }) => dict.get(PDFName.of('Subtype')) !== PDFName.of('Image'));
}

function textIn(stream: PDFRawStream): string {
  const operators = Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1');
  return [...operators.matchAll(STRINGS)]
    .map(([, hex, literal = '']) =>
      hex === undefined
        ? literal.replace(/\\([^])/g, '$1')
        : Buffer.from(hex.replace(/\s/g, ''), 'hex').toString('latin1'),
    )
    .join('');
}
