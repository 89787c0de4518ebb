import { PDFDocument, StandardFonts, rgb } from 'pdf-lib';
import type { PDFFont, PDFPage } from 'pdf-lib';
import { barcodeWidthMm, drawBarcode } from './barcode.js';
import { type Words, fittingSize, wrapped, printable } from './printed-text.js';

/** The sheet that comes out where a label would have: it says that there is none, and why. */
export interface ErrorSheet {
  readonly widthMm: number;
  readonly heightMm: number;
  /** In the language of the area, below the large words. */
  readonly notALabel: string;
  readonly shipment: { readonly title: string; readonly number: string };
  /** Also the content of the barcode; `null`: the shipment's number is not known. */
  readonly barcode: string | null;
  /** What went wrong, and what to do. */
  readonly messages: readonly string[];
}

/** Large on the sheet, in every language: it must not be mistaken by a driver either. */
const NO_LABEL = 'NO LABEL';

const POINTS_PER_MM = 72 / 25.4;
/** The paper for which the sizes below are given; another one has everything in proportion. */
const USUAL = { widthMm: 102, heightMm: 152 };
const MARGIN_MM = 5;
const BAND = { heightMm: 24, letterMm: 13 };
const LOWER_BAND = { heightMm: 11, letterMm: 6 };
const LETTERS = { notALabelMm: 3.6, titleMm: 3.2, numberMm: 8, largestMm: 4.6, smallestMm: 1.9 };
const BARCODE_MM = 17;
const BLACK = rgb(0, 0, 0);
const WHITE = rgb(1, 1, 1);

interface Pen {
  readonly page: PDFPage;
  readonly regular: PDFFont;
  readonly bold: PDFFont;
  /** PDF points in a millimetre of the drawing. */
  readonly mm: number;
  readonly width: number;
  readonly height: number;
}

/** @returns a PDF of one page; the same sheet always gives the same bytes */
export async function drawErrorSheet(sheet: ErrorSheet): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const regular = await pdf.embedFont(StandardFonts.Helvetica);
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  const [width, height] = [sheet.widthMm * POINTS_PER_MM, sheet.heightMm * POINTS_PER_MM];
  const unit = Math.min(sheet.widthMm / USUAL.widthMm, sheet.heightMm / USUAL.heightMm);
  const pen: Pen = { page: pdf.addPage([width, height]), regular, bold, mm: unit * POINTS_PER_MM, width, height };
  drawBands(pen);
  const below = drawHead(pen, sheet);
  drawMessages(pen, below, sheet.messages);
  return pdf.save({ objectsPerTick: Infinity });
}

/** Black over the whole width at both ends, as no label has it. */
function drawBands(pen: Pen): void {
  const { page, width, height, mm } = pen;
  const top = height - BAND.heightMm * mm;
  page.drawRectangle({ x: 0, y: top, width, height: BAND.heightMm * mm, color: BLACK });
  page.drawRectangle({ x: 0, y: 0, width, height: LOWER_BAND.heightMm * mm, color: BLACK });
  centred(pen, { text: NO_LABEL, y: top + 7 * mm, sizeMm: BAND.letterMm, color: WHITE });
  const foot = [NO_LABEL, NO_LABEL, NO_LABEL].join('  ·  ');
  centred(pen, { text: foot, y: 3.4 * mm, sizeMm: LOWER_BAND.letterMm, color: WHITE });
}

interface Line {
  readonly text: string;
  readonly y: number;
  readonly sizeMm: number;
  readonly color?: ReturnType<typeof rgb>;
}

function centred(pen: Pen, { text, y, sizeMm, color = BLACK }: Line): void {
  const { page, bold: font, mm, width } = pen;
  const room = width - 2 * MARGIN_MM * mm;
  const shown = printable(text, font);
  const size = fittingSize(shown, { font, size: sizeMm * mm, room });
  page.drawText(shown, { x: (width - font.widthOfTextAtSize(shown, size)) / 2, y, size, font, color });
}

/** Which shipment it is. @returns where the space below ends, in points from the lower edge */
function drawHead(pen: Pen, { notALabel, shipment, barcode }: ErrorSheet): number {
  const { mm, height } = pen;
  let y = height - (BAND.heightMm + 6) * mm;
  centred(pen, { text: notALabel, y, sizeMm: LETTERS.notALabelMm });
  y -= 7 * mm;
  centred(pen, { text: shipment.title, y, sizeMm: LETTERS.titleMm });
  y -= 8.5 * mm;
  centred(pen, { text: shipment.number, y, sizeMm: LETTERS.numberMm });
  return drawSymbol(pen, barcode, y - 3 * mm);
}

function drawSymbol({ page, width, mm }: Pen, barcode: string | null, top: number): number {
  const room = (width - 2 * MARGIN_MM * mm) / POINTS_PER_MM;
  const symbolMm = barcode === null ? null : barcodeWidthMm(barcode, room);
  if (barcode === null || symbolMm === null) return top - 2 * mm;
  const symbol = { x: (width - symbolMm * POINTS_PER_MM) / 2, y: top - BARCODE_MM * mm, height: BARCODE_MM * mm };
  drawBarcode(page, barcode, { ...symbol, room });
  return symbol.y - 4 * mm;
}

/** In the largest letters in which all of it fits; what does not fit in the smallest ones ends with dots. */
function drawMessages(pen: Pen, top: number, messages: readonly string[]): void {
  const { page, regular: font, mm, width } = pen;
  const room = { width: width - 2 * MARGIN_MM * mm, height: top - (LOWER_BAND.heightMm + 4) * mm };
  const { size, lines } = fitted(
    messages.map((message) => printable(message, font)),
    { font, ...room, largest: LETTERS.largestMm * mm, smallest: LETTERS.smallestMm * mm },
  );
  page.drawLine({
    start: { x: MARGIN_MM * mm, y: top },
    end: { x: width - MARGIN_MM * mm, y: top },
    thickness: 0.4 * mm,
  });
  lines.forEach((text, index) => {
    const y = top - size * (1.1 + index * LEADING);
    page.drawText(text, { x: MARGIN_MM * mm, y, size, font, color: BLACK });
  });
}

const LEADING = 1.28;
const STEPS = 12;

interface Room {
  readonly font: PDFFont;
  readonly width: number;
  readonly height: number;
  readonly largest: number;
  readonly smallest: number;
}

function fitted(messages: readonly Words[], { font, width, height, largest, smallest }: Room) {
  const sizes = Array.from({ length: STEPS + 1 }, (_none, step) => largest - ((largest - smallest) * step) / STEPS);
  const most = (size: number) => Math.max(1, Math.floor(height / (size * LEADING)));
  const at = (size: number) => paragraphs(messages, { font, size, room: width });
  const size = sizes.find((candidate) => at(candidate).length <= most(candidate)) ?? smallest;
  const lines = at(size);
  const cut = lines.length > most(size);
  return { size, lines: cut ? [...lines.slice(0, most(size) - 1), '…'] : lines };
}

/** Wraps messages, with an empty line between two. */
function paragraphs(messages: readonly Words[], type: Parameters<typeof wrapped>[1]): readonly string[] {
  return messages.flatMap((message, index) => [...(index === 0 ? [] : ['']), ...wrapped(message, type)]);
}
