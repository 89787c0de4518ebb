import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFPage } from 'pdf-lib';
import { isHidden } from './hidden-layers.js';
import { type Box, type Matrix, type Size, inTurn, moved, scaled, turned } from './matrix.js';

/** A page as a reader shows it: cut to its crop box, turned, in points. */
export interface SeenPage extends Size {
  readonly page: PDFPage;
  /** From the coordinates that the page draws in. */
  readonly toSeen: Matrix;
}

export function seenPage(page: PDFPage): SeenPage {
  const box = shownBox(page);
  const unit = page.node.lookup(PDFName.of('UserUnit'));
  const points = unit instanceof PDFNumber && unit.asNumber() > 0 ? unit.asNumber() : 1;
  const quarters = Math.round(page.getRotation().angle / 90);
  const size = quarters % 2 === 0 ? box : { width: box.height, height: box.width };
  return {
    page,
    width: size.width * points,
    height: size.height * points,
    toSeen: inTurn(moved(-box.x, -box.y), turned(quarters, box), scaled(points)),
  };
}

/** PDF 1.7, 14.11.2: what lies outside the media box is not shown, whatever the crop box says. */
function shownBox(page: PDFPage): Box {
  const [media, crop] = [upright(page.getMediaBox()), upright(page.getCropBox())];
  const [x, y] = [Math.max(media.x, crop.x), Math.max(media.y, crop.y)];
  const width = Math.min(media.x + media.width, crop.x + crop.width) - x;
  const height = Math.min(media.y + media.height, crop.y + crop.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : media;
}

/** A box may name its corners in any order. */
function upright({ x, y, width, height }: Box): Box {
  return {
    x: Math.min(x, x + width),
    y: Math.min(y, y + height),
    width: Math.abs(width),
    height: Math.abs(height),
  };
}

/** Marks of a page (stamps, form fields) that are printed. */
export function printedMarks({ page }: SeenPage): readonly PDFDict[] {
  const marks = page.node.Annots();
  if (!(marks instanceof PDFArray)) return [];
  return marks.asArray().flatMap((_ref, place) => {
    const mark = marks.lookup(place);
    return mark instanceof PDFDict && isPrinted(mark) ? [mark] : [];
  });
}

/** Bits of `F`: PDF 1.7, table 165. */
const HIDDEN = 2;
const PRINT = 4;

function isPrinted(mark: PDFDict): boolean {
  const flags = mark.lookup(PDFName.of('F'));
  const bits = flags instanceof PDFNumber ? flags.asNumber() : 0;
  return (bits & PRINT) !== 0 && (bits & HIDDEN) === 0 && !isHidden(mark.lookup(PDFName.of('OC')));
}
