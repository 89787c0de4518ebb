import anyAscii from 'any-ascii';
import type { PDFFont, PDFImage, PDFPage } from 'pdf-lib';
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
import type {
  LabelBox as Box,
  LabelItem as Item,
  LabelLogo as Logo,
  LabelTemplate,
  LabelValues,
} from '../../contract/index.js';
import { type Bars, QUIET_MODULES, gs1Bars } from './gs1-bars.js';

const POINTS_PER_MM = 72 / 25.4;
/** The dot of a label printer with 203 dpi: bars are whole dots there. */
const DOT_MM = 25.4 / 203;
/** GS1 asks for 0.495 to 1.016 mm on logistics labels, and allows 0.25 mm. */
const MAX_DOTS = 8;
const LEAST_DOTS = 2;
/** Taken off both sides of a bar: a printer blackens every dot that a bar touches, also by an error of rounding. */
const BAR_INSET_MM = DOT_MM * 0.1;
/** The text under a barcode, and the space above it. */
const BAR_TEXT_MM = 3.6;
const BAR_TEXT_GAP_MM = 1;
/** The part of a line's height that letters take; the rest is space. */
const LETTERS = 0.78;
const BASE = 0.24;
const SMALLEST_SHARE = 0.55;
const PLACEHOLDER = /\{([^{}]*)\}/g;

interface Pen {
  readonly page: PDFPage;
  readonly regular: PDFFont;
  readonly bold: PDFFont;
  readonly letters: ReadonlySet<number>;
  readonly images: ReadonlyMap<Logo, PDFImage>;
}

/** One PDF with a page for each label. The same labels always give the same bytes. */
export async function drawTemplate(template: LabelTemplate, labels: readonly LabelValues[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const regular = await pdf.embedFont(StandardFonts.Helvetica);
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  const letters = new Set(regular.getCharacterSet());
  const images = await embedded(pdf, template);
  for (const label of labels) {
    const page = pdf.addPage([template.widthMm * POINTS_PER_MM, template.heightMm * POINTS_PER_MM]);
    for (const item of template.items) drawItem({ page, regular, bold, letters, images }, item, label);
  }
  return pdf.save({ objectsPerTick: Infinity });
}

async function embedded(pdf: PDFDocument, { items }: LabelTemplate): Promise<ReadonlyMap<Logo, PDFImage>> {
  const images = new Map<Logo, PDFImage>();
  for (const item of items)
    if (item.kind === 'logo') {
      const { format, bytes } = item.image;
      images.set(item.image, await (format === 'png' ? pdf.embedPng(bytes) : pdf.embedJpg(bytes)));
    }
  return images;
}

function drawItem(pen: Pen, item: Item, label: LabelValues): void {
  switch (item.kind) {
    case 'text':
      return drawLines(pen, filledLines(item.lines, label), item);
    case 'line':
      return drawLine(pen, item.box);
    case 'logo':
      return drawLogo(pen, pen.images.get(item.image), item.box);
    case 'barcode':
      return drawBarcode(pen, item, label);
  }
}

/** Lines whose placeholders are all empty are left out. */
function filledLines(lines: readonly string[], { fields }: LabelValues): readonly string[] {
  return lines.flatMap((line) => {
    const values = Array.from(line.matchAll(PLACEHOLDER), ([, name = '']) => fields.get(name) ?? '');
    if (values.length > 0 && values.every((value) => value === '')) return [];
    return [line.replace(PLACEHOLDER, (_all, name: string) => fields.get(name) ?? '').trim()];
  });
}

function drawLines(pen: Pen, lines: readonly string[], { box, bold, lines: all }: Extract<Item, { kind: 'text' }>) {
  const font = bold ? pen.bold : pen.regular;
  const lineMm = box.height / all.length;
  lines.forEach((line, index) => {
    const whole = printable(line, pen.letters);
    const size = lineMm * LETTERS * POINTS_PER_MM;
    const room = box.width * POINTS_PER_MM;
    const fitting = Math.max(size * SMALLEST_SHARE, Math.min(size, (size * room) / widthOf(font, whole, size)));
    const y = fromTop(pen, box.y + (index + 1) * lineMm - lineMm * BASE);
    pen.page.drawText(shortened(whole, font, { size: fitting, room }), {
      x: box.x * POINTS_PER_MM,
      y,
      size: fitting,
      font,
    });
  });
}

function shortened(text: string, font: PDFFont, { size, room }: { readonly size: number; readonly room: number }) {
  // Allows for rounding.
  if (widthOf(font, text, size) <= room + 0.01) return text;
  let kept = text;
  while (kept !== '' && widthOf(font, `${kept}…`, size) > room) kept = kept.slice(0, -1);
  return `${kept}…`;
}

function widthOf(font: PDFFont, text: string, size: number): number {
  return Math.max(1, font.widthOfTextAtSize(text, size));
}

/** The built-in fonts hold Western European letters only. */
function printable(text: string, letters: ReadonlySet<number>): string {
  return Array.from(text.replace(/\s+/g, ' '))
    .map((letter) => (letters.has(letter.codePointAt(0) ?? 0) ? letter : anyAscii(letter)))
    .join('');
}

function drawLine({ page }: Pen, box: Box): void {
  const [x, y] = [box.x * POINTS_PER_MM, page.getHeight() - box.y * POINTS_PER_MM];
  const end = { x: x + box.width * POINTS_PER_MM, y: y - box.height * POINTS_PER_MM };
  page.drawLine({ start: { x, y }, end, thickness: 0.8 });
}

/** As large as the box allows, without being stretched. */
function drawLogo(pen: Pen, image: PDFImage | undefined, box: Box): void {
  if (!image) return;
  const scale = Math.min((box.width * POINTS_PER_MM) / image.width, (box.height * POINTS_PER_MM) / image.height);
  const [width, height] = [image.width * scale, image.height * scale];
  const y = fromTop(pen, box.y) - height;
  pen.page.drawImage(image, { x: box.x * POINTS_PER_MM, y, width, height });
}

interface Fitting {
  readonly text: string;
  readonly bars: Bars;
  readonly dots: number;
}

/** The symbol in the middle of its box, as wide as it gets there, with what it says in text below. */
function drawBarcode(pen: Pen, { elements, box }: Extract<Item, { kind: 'barcode' }>, label: LabelValues): void {
  const symbol = fittingSymbol(
    elements.flatMap((name) => label.elements.get(name) ?? []),
    box,
  );
  if (symbol === null) return;
  const moduleMm = symbol.dots * DOT_MM;
  const left = box.x + (box.width - symbol.bars.modules * moduleMm) / 2;
  const x = Math.round(left / DOT_MM) * DOT_MM;
  const barsMm = box.height - BAR_TEXT_MM - BAR_TEXT_GAP_MM;
  drawBars(pen, symbol, { x, y: box.y, width: moduleMm, height: barsMm });
  writeBelow(pen, symbol.text.replaceAll('(', '  (').replaceAll(')', ') ').trim(), box);
}

function writeBelow({ page, bold: font }: Pen, text: string, box: Box): void {
  const size = BAR_TEXT_MM * POINTS_PER_MM;
  const room = box.width * POINTS_PER_MM;
  const fitting = Math.min(size, (size * room) / widthOf(font, text, size));
  const x = (box.x + box.width / 2) * POINTS_PER_MM - widthOf(font, text, fitting) / 2;
  const y = page.getHeight() - (box.y + box.height - BAR_TEXT_MM * BASE) * POINTS_PER_MM;
  page.drawText(text, { x, y, size: fitting, font });
}

/** Elements are left out from the end until the symbol fits; `null`: not even the first does. */
function fittingSymbol(elements: readonly string[], box: Box): Fitting | null {
  if (elements.length === 0) return null;
  const text = elements.join('');
  const bars = gs1Bars(text);
  const dots = Math.min(MAX_DOTS, Math.floor(box.width / ((bars.modules + 2 * QUIET_MODULES) * DOT_MM)));
  return dots >= LEAST_DOTS ? { text, bars, dots } : fittingSymbol(elements.slice(0, -1), box);
}

/** @param box with the width of one module */
function drawBars(pen: Pen, { bars }: Fitting, box: Box): void {
  const height = box.height * POINTS_PER_MM;
  const inset = BAR_INSET_MM * POINTS_PER_MM;
  const y = fromTop(pen, box.y) - height;
  let x = box.x * POINTS_PER_MM;
  const drawn = bars.widths.flatMap((modules, index) => {
    const width = modules * box.width * POINTS_PER_MM;
    const bar = index % 2 === 0 ? [rectangle(x + inset, y, width - 2 * inset, height)] : [];
    x += width;
    return bar;
  });
  pen.page.pushOperators(pushGraphicsState(), setFillingColor(rgb(0, 0, 0)), ...drawn, fill(), popGraphicsState());
}

function fromTop({ page }: Pen, mm: number): number {
  return page.getHeight() - mm * POINTS_PER_MM;
}
