import { type Color, type PDFDocument, type PDFFont, type PDFPage, StandardFonts, rgb } from 'pdf-lib';
import { type Words, fittingSize, printable, wrapped } from './printed-text.js';

const POINTS_PER_MM = 72 / 25.4;
const SMALLEST = 4.5;
const LEADING = 1.22;
const CUT = '…';
const BLACK = rgb(0, 0, 0);
export const GREY = rgb(0.35, 0.35, 0.35);

export interface Fonts {
  readonly regular: PDFFont;
  readonly bold: PDFFont;
}

/** Draws on one page, in millimetres from its upper left corner; letters are measured in points. */
export interface Pen extends Fonts {
  readonly page: PDFPage;
}

export async function standardFonts(pdf: PDFDocument): Promise<Fonts> {
  return {
    regular: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  };
}

export function newPage(
  pdf: PDFDocument,
  fonts: Fonts,
  { widthMm, heightMm }: { readonly widthMm: number; readonly heightMm: number },
): Pen {
  return { ...fonts, page: pdf.addPage([widthMm * POINTS_PER_MM, heightMm * POINTS_PER_MM]) };
}

export interface TextLine {
  readonly text: string;
  /** The left edge, or the right one with `align: 'right'`. */
  readonly x: number;
  /** The base line. */
  readonly y: number;
  /** The width of the room; a longer text is set smaller, and cut where that does not do. */
  readonly width: number;
  readonly size: number;
  readonly weight?: 'bold';
  readonly align?: 'right';
  readonly color?: Color;
}

export function line(pen: Pen, { text, x, y, width, size, weight, align, color = BLACK }: TextLine): void {
  const font = weight === 'bold' ? pen.bold : pen.regular;
  const room = width * POINTS_PER_MM;
  const whole = printable(text, font);
  const fitting = Math.max(SMALLEST, fittingSize(whole, { font, size, room }));
  const shown = cut(whole, { font, size: fitting, room });
  const left = align === 'right' ? x * POINTS_PER_MM - font.widthOfTextAtSize(shown, fitting) : x * POINTS_PER_MM;
  pen.page.drawText(shown, { x: left, y: fromTop(pen, y), size: fitting, font, color });
}

export interface Block {
  /** Each begins on a line of its own. */
  readonly texts: readonly string[];
  readonly x: number;
  /** The upper edge. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly weight?: 'bold';
  /** The smallest size of the letters; missing: the smallest that can be read. */
  readonly smallest?: number;
}

/** Texts in lines, set smaller where they do not fit; what does not fit in the smallest letters ends with dots. */
export function block(pen: Pen, given: Block): void {
  const { texts, x, y, width, height, size: largest, weight, smallest = SMALLEST } = given;
  const font = weight === 'bold' ? pen.bold : pen.regular;
  const words = texts.map((text) => printable(text, font)).filter((text) => text !== '');
  const at = (size: number) => words.flatMap((text) => wrapped(text, { font, size, room: width * POINTS_PER_MM }));
  const most = (size: number) => Math.max(1, Math.floor((height * POINTS_PER_MM) / (size * LEADING)));
  let size = largest;
  while (size > smallest && at(size).length > most(size)) size = Math.max(smallest, size - 0.5);
  const lines = at(size);
  const shown = shortened(lines, most(size), (text) => cut(text, { font, size, room: width * POINTS_PER_MM }));
  shown.forEach((text, index) => {
    const top = fromTop(pen, y) - size * (0.95 + index * LEADING);
    pen.page.drawText(text, { x: x * POINTS_PER_MM, y: top, size, font, color: BLACK });
  });
}

/** The lines that a text takes in a column, in letters of one size; at most so many. */
export function columnLines(
  pen: Fonts,
  text: string,
  { width, size, most }: { readonly width: number; readonly size: number; readonly most: number },
): readonly Words[] {
  const lines = wrapped(printable(text, pen.regular), { font: pen.regular, size, room: width * POINTS_PER_MM });
  return shortened(lines, most, (last) => last);
}

/** The first lines; the last of them ends with dots where there are more. */
function shortened(lines: readonly Words[], most: number, fit: (last: string) => string): readonly string[] {
  return lines.length > most ? [...lines.slice(0, most - 1), fit(`${lines[most - 1] ?? ''}${CUT}`)] : lines;
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function frame(pen: Pen, { x, y, width, height }: Rectangle): void {
  pen.page.drawRectangle({
    ...{ x: x * POINTS_PER_MM, y: fromTop(pen, y + height) },
    ...{ width: width * POINTS_PER_MM, height: height * POINTS_PER_MM },
    ...{ borderColor: BLACK, borderWidth: 0.6 },
  });
}

/** A horizontal rule. */
export function rule(pen: Pen, { x, y, width }: Omit<Rectangle, 'height'>): void {
  const at = fromTop(pen, y);
  const [start, end] = [
    { x: x * POINTS_PER_MM, y: at },
    { x: (x + width) * POINTS_PER_MM, y: at },
  ];
  pen.page.drawLine({ start, end, thickness: 0.6 });
}

/** A box for a cross, with its words beside it. */
export function choice(
  pen: Pen,
  { text, x, y, width, chosen }: Omit<TextLine, 'size'> & { readonly chosen: string },
): void {
  frame(pen, { x, y: y - 2.4, width: 2.6, height: 2.6 });
  if (chosen === text) line(pen, { text: 'X', x: x + 0.5, y: y - 0.2, width: 3, size: 7, weight: 'bold' });
  line(pen, { text, x: x + 3.6, y: y - 0.3, width: width - 3.6, size: 6 });
}

/** In points from the lower edge, as `pdf-lib` counts. */
export function fromTop({ page }: Pen, mm: number): number {
  return page.getHeight() - mm * POINTS_PER_MM;
}

function cut(
  text: Words,
  { font, size, room }: { readonly font: PDFFont; readonly size: number; readonly room: number },
) {
  const fits = (some: string) => font.widthOfTextAtSize(some, size) <= room + 0.01;
  if (fits(text)) return text;
  let shown = text;
  while (shown.length > 1 && !fits(shown + CUT)) shown = shown.slice(0, -1);
  return shown + CUT;
}
