import bwipjs from 'bwip-js/node';
import type { PDFFont, PDFOperator, PDFPage } from 'pdf-lib';
import {
  PDFDocument,
  StandardFonts,
  fill,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  rgb,
  setFillingColor,
} from 'pdf-lib';

/** The content of one parcel's label. */
export interface SimulatedLabel {
  readonly carrierName: string;
  readonly service: string;
  /** Also the content of the Code 128 barcode; printable ASCII. */
  readonly trackingNumber: string;
  readonly reference: string;
  /** Lines of an address, the name first. */
  readonly sender: readonly string[];
  readonly recipient: readonly string[];
  readonly weightGrams: number;
}

export interface PageSize {
  readonly widthMm: number;
  readonly heightMm: number;
}

/** The usual label size. */
export const LABEL_100_BY_150: PageSize = { widthMm: 100, heightMm: 150 };

/** Draws a PDF with one page for each label, in their order, and a barcode that a scanner reads. */
export async function drawLabels(labels: readonly SimulatedLabel[], page: PageSize): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const regular = await pdf.embedFont(StandardFonts.Helvetica);
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  // The built-in fonts have the same letters.
  const letters = new Set(regular.getCharacterSet());
  const unit = Math.min(page.widthMm / LABEL_100_BY_150.widthMm, page.heightMm / LABEL_100_BY_150.heightMm);
  labels.forEach((label, index) => {
    const sheet = pdf.addPage([page.widthMm * POINTS_PER_MM, page.heightMm * POINTS_PER_MM]);
    const pen: Pen = { page: sheet, regular, bold, letters, mm: unit * POINTS_PER_MM };
    drawLabel(pen, label, `parcel ${index + 1} of ${labels.length}`);
  });
  return pdf.save();
}

/** Everything is placed in millimetres on paper of 100 by 150, from its lower left corner, and drawn to the scale of the page. */
interface Pen {
  readonly page: PDFPage;
  readonly regular: PDFFont;
  readonly bold: PDFFont;
  /** Code points of the letters that the fonts have. */
  readonly letters: ReadonlySet<number>;
  /** PDF points in a millimetre of the drawing. */
  readonly mm: number;
}

const POINTS_PER_MM = 72 / 25.4;
const MARGIN_MM = 5;
const LINE_SPACING = 1.25;
const BARCODE = { bottomMm: 15, heightMm: 24, widestBarMm: 0.5 };
/** Blank space that a scanner needs at both ends of a Code 128, in widths of its thinnest bar. */
const QUIET_BARS = 10;

function drawLabel(pen: Pen, label: SimulatedLabel, position: string): void {
  const facts = `${label.reference} | ${position} | ${(label.weightGrams / 1000).toFixed(3)} kg`;
  writeLines(pen, [label.carrierName], { fromMm: 139, sizeMm: 7, font: pen.bold });
  writeLines(pen, [label.service], { fromMm: 134, sizeMm: 3.5, font: pen.regular });
  drawRule(pen, 132);
  writeLines(pen, ['FROM', ...label.sender.slice(0, 4)], { fromMm: 129, sizeMm: 2.5, font: pen.regular });
  drawRule(pen, 114);
  writeLines(pen, ['TO'], { fromMm: 111, sizeMm: 2.5, font: pen.regular });
  writeLines(pen, label.recipient.slice(0, 6), { fromMm: 105, sizeMm: 4.5, font: pen.bold });
  drawRule(pen, 49);
  writeLines(pen, [facts], { fromMm: 44, sizeMm: 3.2, font: pen.regular });
  drawBarcode(pen, label.trackingNumber);
  writeLines(pen, ['SIMULATED LABEL - DO NOT SHIP'], { fromMm: MARGIN_MM, sizeMm: 2.5, font: pen.regular });
}

function drawRule(pen: Pen, atMm: number): void {
  const x = MARGIN_MM * pen.mm;
  const y = atMm * pen.mm;
  pen.page.drawLine({ start: { x, y }, end: { x: pen.page.getWidth() - x, y }, thickness: 0.8 });
}

interface Type {
  /** The base line of the first text line. */
  readonly fromMm: number;
  readonly sizeMm: number;
  readonly font: PDFFont;
}

function writeLines(pen: Pen, lines: readonly string[], type: Type): void {
  lines.forEach((line, index) => {
    const text = printable(line, pen.letters);
    const y = (type.fromMm - index * type.sizeMm * LINE_SPACING) * pen.mm;
    pen.page.drawText(text, { x: MARGIN_MM * pen.mm, y, size: fittingSize(pen, text, type), font: type.font });
  });
}

function fittingSize(pen: Pen, text: string, type: Type): number {
  const size = type.sizeMm * pen.mm;
  const room = pen.page.getWidth() - 2 * MARGIN_MM * pen.mm;
  return Math.min(size, (size * room) / Math.max(1, type.font.widthOfTextAtSize(text, size)));
}

/** The built-in fonts hold Western European letters only; a simulated label may show the rest as question marks. */
function printable(text: string, letters: ReadonlySet<number>): string {
  return [...text].map((character) => (letters.has(character.codePointAt(0) ?? 0) ? character : '?')).join('');
}

function drawBarcode(pen: Pen, text: string): void {
  const widths = barWidths(text);
  const total = widths.reduce((sum, width) => sum + width, 2 * QUIET_BARS);
  const bar = Math.min(BARCODE.widestBarMm * POINTS_PER_MM, pen.page.getWidth() / total);
  const placed = { y: BARCODE.bottomMm * pen.mm, height: BARCODE.heightMm * pen.mm };
  const bars: PDFOperator[] = [];
  let x = (pen.page.getWidth() - total * bar) / 2 + QUIET_BARS * bar;
  widths.forEach((width, index) => {
    const isBar = index % 2 === 0;
    if (isBar) bars.push(rectangle(x, placed.y, width * bar, placed.height));
    x += width * bar;
  });
  pen.page.pushOperators(pushGraphicsState(), setFillingColor(rgb(0, 0, 0)), ...bars, fill(), popGraphicsState());
  writeCentred(pen, text);
}

function writeCentred(pen: Pen, text: string): void {
  const size = 4.5 * pen.mm;
  const x = (pen.page.getWidth() - pen.bold.widthOfTextAtSize(text, size)) / 2;
  pen.page.drawText(text, { x, y: (BARCODE.bottomMm - 5) * pen.mm, size, font: pen.bold });
}

/** Widths of bars and spaces in turn, a bar first, in units of the thinnest. */
function barWidths(text: string): readonly number[] {
  const [symbol] = bwipjs.raw({ bcid: 'code128', text });
  if (!symbol || !('sbs' in symbol)) throw new Error('Code 128 came back as something else than bars');
  return symbol.sbs;
}
