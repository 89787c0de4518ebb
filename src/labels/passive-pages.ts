import { PDFDict, type PDFDocument, PDFName, PDFNumber } from 'pdf-lib';
import { Unusable } from './label-unusable.js';

/** What a page is drawn by. Everything else of it (`AA`, files, beads, transitions) is for programs that show it. */
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
/** What a mark on a page is drawn by: PDF 1.7, tables 164 to 182 without actions, files and pointers to others. */
const OF_A_MARK = new Set([
  ...['Type', 'Subtype', 'Rect', 'Contents', 'F', 'AP', 'AS', 'Border', 'C', 'OC', 'BS', 'BE', 'IC', 'QuadPoints'],
  ...['L', 'LE', 'LL', 'LLE', 'CL', 'Vertices', 'InkList', 'RD', 'DA', 'DS', 'Q', 'CA', 'FixedPrint'],
]);
/** Marks that are only drawn; the others act, play, hold files or are filled in. */
const DRAWN = new Set([
  ...['Text', 'Link', 'FreeText', 'Line', 'Square', 'Circle', 'Polygon', 'PolyLine', 'Highlight', 'Underline'],
  ...['Squiggly', 'StrikeOut', 'Stamp', 'Caret', 'Ink', 'Watermark'],
]);
/** Bits of `F`: PDF 1.7, table 165. */
const HIDDEN = 2;
const PRINT = 4;

const name = (text: string) => PDFName.of(text);

/**
 * Takes from the pages of a document what acts, and leaves what is printed. A mark that acts and has a drawing of its own
 * becomes a stamp with that drawing.
 * @throws Unusable a mark that is to be printed has no drawing, and only the program that it asks for could make one
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

/** Those for a pointer over it and for a click are never printed. */
function keepNormalDrawing(mark: PDFDict): void {
  const drawings = mark.lookup(name('AP'));
  if (drawings instanceof PDFDict) keepOnly(drawings, new Set(['N']));
}

function keepOnly(dict: PDFDict, kept: ReadonlySet<string>): void {
  for (const key of dict.keys()) if (!kept.has(key.decodeText())) dict.delete(key);
}
