import { setImmediate as breathe } from 'node:timers/promises';
import anyAscii from 'any-ascii';
import type { PDFDocument, PDFFont, PDFPage } from 'pdf-lib';
import { type Manifest, totalsOf } from './manifest-document.js';

/*
 * Points on A4 upright, from the lower left corner.
 */
const WIDTH = 595.28;
const HEIGHT = 841.89;
const LEFT = 48;
const RIGHT = WIDTH - 48;
const LINE = 15;
const TEXT = 9.5;
/** The smallest readable font size. */
const SMALLEST = 5;
/** The line height of a number on several lines; three of them fit into a row of the table. */
const TIGHT = 5;
const MAX_LINES = 3;
const LAST_LINE = 70;
/** The height of the totals and the signature. */
const ENDING = 150;
const COLUMNS = { shipment: LEFT, carrierNumber: 170, trackingNumber: 300 } as const;
const WIDEST = { shipment: 116, carrierNumber: 124, trackingNumber: 170 } as const;
const HEAD_LINES = 5;

interface Pen {
  readonly document: PDFDocument;
  readonly regular: PDFFont;
  readonly bold: PDFFont;
}

/** The position of the next line. */
interface Place {
  readonly page: PDFPage;
  readonly y: number;
}

/**
 * One PDF of all lists; each begins on a page of its own, and counts its own pages. The same lists always give the same
 * bytes.
 */
export async function drawManifests(lists: readonly Manifest[]): Promise<Uint8Array> {
  // Loads the library here, because it would be a quarter of the loading time at the start, for a document that is
  // drawn once a day.
  const { PDFDocument, StandardFonts } = await import('pdf-lib');
  const document = await PDFDocument.create({ updateMetadata: false });
  const pen: Pen = {
    document,
    regular: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
  };
  for (const list of lists) await drawList(pen, list);
  return document.save();
}

async function drawList(pen: Pen, list: Manifest): Promise<void> {
  const first = pen.document.getPageCount();
  let place = newPage(pen, list);
  for (const row of rowsOf(list)) {
    if (place.y < LAST_LINE) {
      // Lets the event loop run between two pages.
      await breathe();
      place = newPage(pen, list);
    }
    write(pen, place, row);
    place = { ...place, y: place.y - LINE };
  }
  if (place.y < LAST_LINE + ENDING) place = newPage(pen, list);
  drawEnding(pen, place, list);
  const pages = pen.document.getPages().slice(first);
  pages.forEach((page, index) => {
    const text = `${titleOf(list)} · ${list.words.page} ${index + 1}/${pages.length}`;
    put({ page, y: 36 }, { text, font: pen.regular, x: RIGHT, align: 'right', widest: RIGHT - LEFT });
  });
}

interface Row {
  readonly shipment: string;
  readonly carrierNumber: string;
  readonly trackingNumber: string;
  readonly weight: string;
}

/** A line for each parcel; shared values are printed once. */
function rowsOf({ consignments }: Manifest): readonly Row[] {
  return consignments.flatMap(({ shipmentNumber, carrierNumber, route, parcels }) =>
    parcels.map(({ trackingNumber, weightGrams }, index) => ({
      shipment: index === 0 ? shipmentNumber : '',
      carrierNumber: index === 0 ? (route ?? carrierNumber ?? '-') : '',
      trackingNumber,
      weight: weightGrams === null ? '-' : kilograms(weightGrams),
    })),
  );
}

/** A list by routes shows them in the place of the carrier's numbers. */
function secondHeading({ words, consignments }: Manifest): string {
  const isByRoute = consignments.some(({ route }) => route !== undefined);
  return isByRoute ? (words.route ?? words.carrierNumber) : words.carrierNumber;
}

function kilograms(grams: number): string {
  return `${(grams / 1000).toFixed(3)} kg`;
}

function titleOf({ words, carrierName, account }: Manifest): string {
  return `${words.title} ${carrierName}${account === carrierName ? '' : ` (${account})`}`;
}

function newPage(pen: Pen, list: Manifest): Place {
  const page = pen.document.addPage([WIDTH, HEIGHT]);
  const { words, sender, handedOverAt, documentId } = list;
  const top = HEIGHT - 64;
  put({ page, y: top }, { text: titleOf(list), font: pen.bold, x: LEFT, size: 16, widest: RIGHT - LEFT });
  const facts = [`${words.date}: ${handedOverAt}`, `${words.document}: ${documentId}`];
  put({ page, y: top - 26 }, { text: words.sender, font: pen.bold, x: LEFT, widest: 280 });
  sender.slice(0, HEAD_LINES).forEach((text, index) => {
    put({ page, y: top - 26 - LINE * (index + 1) }, { text, font: pen.regular, x: LEFT, widest: 280 });
  });
  facts.forEach((text, index) => {
    put({ page, y: top - 26 - LINE * index }, { text, font: pen.regular, x: RIGHT, align: 'right', widest: 240 });
  });
  const y = top - 26 - LINE * (HEAD_LINES + 2);
  write({ ...pen, regular: pen.bold }, { page, y }, { ...words, carrierNumber: secondHeading(list) });
  page.drawLine({ start: { x: LEFT, y: y - 5 }, end: { x: RIGHT, y: y - 5 }, thickness: 0.7 });
  return { page, y: y - LINE - 5 };
}

function write({ regular: font }: Pen, place: Place, row: Row): void {
  for (const column of ['shipment', 'carrierNumber', 'trackingNumber'] as const)
    put(place, { text: row[column], font, x: COLUMNS[column], widest: WIDEST[column], lines: MAX_LINES });
  put(place, { text: row.weight, font, x: RIGHT, align: 'right', widest: 70 });
}

function drawEnding(pen: Pen, { page, y }: Place, list: Manifest): void {
  const { words } = list;
  const { consignments, parcels, weightGrams, withoutWeight } = totalsOf(list);
  const unknown = withoutWeight === 0 ? '' : `, ${words.withoutWeight ?? '-'}: ${withoutWeight}`;
  const totals = `${words.consignments}: ${consignments}, ${words.parcels}: ${parcels}${unknown}`;
  put({ page, y: y - 6 }, { text: totals, font: pen.bold, x: LEFT, widest: 340 });
  // An unknown weight is not shown as 0.
  const weight = `${withoutWeight === 0 ? '' : '> '}${kilograms(weightGrams)}`;
  put({ page, y: y - 6 }, { text: weight, font: pen.bold, x: RIGHT, align: 'right', widest: 120 });
  const fields = [
    [words.driver, LEFT, 200],
    [words.signature, LEFT + 215, 170],
    [words.time, LEFT + 400, RIGHT - LEFT - 400],
  ] as const;
  for (const [text, x, width] of fields) {
    page.drawLine({ start: { x, y: y - 80 }, end: { x: x + width, y: y - 80 }, thickness: 0.7 });
    put({ page, y: y - 92 }, { text, font: pen.regular, x, size: 8, widest: width });
  }
}

interface Text {
  readonly text: string;
  readonly font: PDFFont;
  readonly x: number;
  /** `x` is the right edge of the text. */
  readonly align?: 'right';
  readonly size?: number;
  readonly widest: number;
  /** The most lines of a text that does not fit in the smallest size; missing: 1. */
  readonly lines?: number;
}

/**
 * Sets a wide text smaller, so that a number is not cut. A text that would be too small is broken into lines around its
 * own middle, and a longer one ends with dots.
 */
function put({ page, y }: Place, { text, font, x, align, size = TEXT, widest, lines: most = 1 }: Text): void {
  const shown = printable(text, font);
  const width = font.widthOfTextAtSize(shown, size);
  const fitting = width > widest ? Math.max(SMALLEST, (size * widest) / width) : size;
  const lines = broken(shown, { font, size: fitting, widest, most });
  lines.forEach((line, index) => {
    const left = align === 'right' ? x - Math.min(font.widthOfTextAtSize(line, fitting), widest) : x;
    const above = ((lines.length - 1) / 2 - index) * TIGHT;
    page.drawText(line, { x: left, y: y + above, size: fitting, font });
  });
}

interface Room {
  readonly font: PDFFont;
  readonly size: number;
  readonly widest: number;
  readonly most: number;
}

const CUT = '…';

function broken(text: string, room: Room): readonly string[] {
  const head = text.slice(0, fittingLength(text, room));
  if (head.length === text.length) return [text];
  if (room.most > 1) return [head, ...broken(text.slice(head.length), { ...room, most: room.most - 1 })];
  const { font, size, widest } = room;
  const narrower = { ...room, widest: widest - font.widthOfTextAtSize(CUT, size) };
  return [`${text.slice(0, fittingLength(text, narrower))}${CUT}`];
}

/** The length of the longest beginning that fits; at least 1. */
function fittingLength(text: string, { font, size, widest }: Room): number {
  // Allows for rounding, so that the last letter of a text that was set smaller still fits.
  const fits = (length: number) => font.widthOfTextAtSize(text.slice(0, length), size) <= widest + 0.01;
  if (fits(text.length)) return text.length;
  let [fitting, tooLong] = [1, text.length];
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(middle)) fitting = middle;
    else tooLong = middle;
  }
  return fitting;
}

/** Replaces letters that the built-in PDF fonts lack by the nearest ones. */
function printable(text: string, font: PDFFont): string {
  const known = new Set(font.getCharacterSet());
  return Array.from(text.replace(/\s+/g, ' '))
    .map((character) => (known.has(character.codePointAt(0) ?? 0) ? character : anyAscii(character)))
    .join('');
}
