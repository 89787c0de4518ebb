import { PDFDict, type PDFDocument, PDFName, PDFNumber } from 'pdf-lib';
import { Unusable } from './label-unusable.js';

/** Keys of a page that affect its print. All others (`AA`, files, beads, transitions) are for programs that show it. */
const OF_A_PAGE = new Set([
  'Type',
  'Parent',
  'Resources',
  'MediaBox',
  'CropBox',
  'BleedBox',
  'TrimBox',
  'ArtBox',
  'Contents',
  'Rotate',
  'Group',
  'UserUnit',
  'Annots',
]);
/** Keys of an annotation that affect its print: PDF 1.7, tables 164 to 182 without actions, files and references. */
const OF_A_MARK = new Set([
  ...['Type', 'Subtype', 'Rect', 'Contents', 'F', 'AP', 'AS', 'Border', 'C', 'OC', 'BS', 'BE', 'IC', 'QuadPoints'],
  ...['L', 'LE', 'LL', 'LLE', 'CL', 'Vertices', 'InkList', 'RD', 'DA', 'DS', 'Q', 'CA', 'FixedPrint'],
]);
/** Annotations that are only drawn. The others act, play, hold files or are form fields. */
const DRAWN = new Set([
  ...['Text', 'Link', 'FreeText', 'Line', 'Square', 'Circle', 'Polygon', 'PolyLine', 'Highlight', 'Underline'],
  ...['Squiggly', 'StrikeOut', 'Stamp', 'Caret', 'Ink', 'Watermark'],
]);
/** Bits of `F`: PDF 1.7, table 165. */
const HIDDEN = 2;
const PRINT = 4;

const name = (text: string) => PDFName.of(text);

/**
 * Removes all actions from the pages of a document and keeps what is printed. An annotation that acts and has an appearance
 * becomes a stamp with that appearance.
 * @throws Unusable an annotation that is to be printed has no appearance
 */
export function makePassive(document: PDFDocument): void {
  for (const { node } of document.getPages()) {
    keepOnly(node, OF_A_PAGE);
    const marks = node.Annots();
    if (marks === undefined) continue;
    const kept = marks.asArray().flatMap((_ref, place) => passive(marks.lookup(place)) ?? []);
    node.delete(name('Annots'));
    if (kept.length > 0) node.set(name('Annots'), document.context.obj(kept));
  }
}

function passive(mark: unknown): PDFDict | null {
  if (!(mark instanceof PDFDict)) return null;
  const subtype = mark.lookup(name('Subtype'));
  const kind = subtype instanceof PDFName ? subtype.decodeText() : '';
  if (kind === 'Popup') return null;
  if (!DRAWN.has(kind)) {
    if (!hasDrawing(mark)) return refuseIfPrinted(mark);
    mark.set(name('Subtype'), name('Stamp'));
  }
  keepOnly(mark, OF_A_MARK);
  keepNormalDrawing(mark);
  return mark;
}

function hasDrawing(mark: PDFDict): boolean {
  const drawings = mark.lookup(name('AP'));
  return drawings instanceof PDFDict && drawings.lookup(name('N')) !== undefined;
}

function refuseIfPrinted(mark: PDFDict): null {
  const flags = mark.lookup(name('F'));
  const bits = flags instanceof PDFNumber ? flags.asNumber() : 0;
  if ((bits & PRINT) !== 0 && (bits & HIDDEN) === 0)
    throw new Unusable('has something to print that only another program could draw');
  return null;
}

/** Keeps the normal appearance; those for a pointer or a click are never printed. */
function keepNormalDrawing(mark: PDFDict): void {
  const drawings = mark.lookup(name('AP'));
  if (drawings instanceof PDFDict) keepOnly(drawings, new Set(['N']));
}

function keepOnly(dict: PDFDict, kept: ReadonlySet<string>): void {
  for (const key of dict.keys()) if (!kept.has(key.decodeText())) dict.delete(key);
}
