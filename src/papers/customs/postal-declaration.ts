import { PDFDocument } from 'pdf-lib';
import { barcodeWidthMm, drawBarcode } from '../barcode.js';
import {
  type Fonts,
  type Pen,
  block,
  choice,
  columnLines,
  frame,
  fromTop,
  line,
  newPage,
  rule,
  standardFonts,
} from '../pen.js';
import {
  type CustomsPaper,
  type PaperLine,
  partyLines,
  contactLines,
  kilogramsText,
  numberLines,
} from './customs-paper.js';
import { CN22_LINES } from './which-papers.js';

/*
 * The forms CN 22 and CN 23 of the Universal Postal Union, with its fields and its words in English and French.
 * Millimetres from the upper left corner.
 */
const CATEGORIES = ['Gift', 'Commercial sample', 'Documents', 'Sale of goods', 'Returned goods', 'Other'];
const CATEGORY = 'Sale of goods';
const POINTS_PER_MM = 72 / 25.4;

const CN22 = { widthMm: 74, heightMm: 105 };
const CN22_LEFT = 3;
const CN22_WIDTH = CN22.widthMm - 2 * CN22_LEFT;
const CN22_CERTIFICATE =
  'I, the undersigned, whose name and address are given on the item, certify that the particulars given in this declaration are correct and that this item does not contain any dangerous article or articles prohibited by legislation or by postal or customs regulations.';

/** @returns a PDF of one page; the same paper always gives the same bytes */
export async function drawCn22(paper: CustomsPaper): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const pen = newPage(pdf, await standardFonts(pdf), CN22);
  frame(pen, { x: 1.5, y: 1.5, width: CN22.widthMm - 3, height: CN22.heightMm - 3 });
  const across = { x: CN22_LEFT, width: CN22_WIDTH };
  line(pen, { text: 'CUSTOMS DECLARATION', ...across, y: 6, size: 9, weight: 'bold' });
  line(pen, { text: 'DÉCLARATION EN DOUANE', ...across, y: 9.5, size: 6.5 });
  line(pen, { text: 'CN 22', x: 71, y: 7, width: 20, size: 13, weight: 'bold', align: 'right' });
  line(pen, { text: 'May be opened officially / Peut être ouvert d’office', ...across, y: 13, size: 6 });
  rule(pen, { x: 1.5, y: 14.5, width: 71 });
  CATEGORIES.forEach((text, index) => {
    const [column, row] = [index % 3, Math.floor(index / 3)];
    choice(pen, { text, x: CN22_LEFT + column * 23, y: 18.5 + row * 4, width: 22, chosen: CATEGORY });
  });
  rule(pen, { x: 1.5, y: 24.5, width: 71 });
  const y = drawCn22Goods(pen, paper);
  drawCn22Ending(pen, paper, y);
  return pdf.save({ objectsPerTick: Infinity });
}

function drawCn22Goods(pen: Pen, { lines, currency }: CustomsPaper): number {
  line(pen, { text: 'Quantity and detailed description of contents', x: 3, y: 28, width: 41, size: 6, weight: 'bold' });
  line(pen, { text: 'Net kg', x: 56, y: 28, width: 11, size: 6, weight: 'bold', align: 'right' });
  line(pen, { text: `Value ${currency}`, x: 71, y: 28, width: 14, size: 6, weight: 'bold', align: 'right' });
  lines.forEach((goods, index) => {
    const y = 30 + index * 8;
    const texts = [`${goods.quantity} × ${goods.description}`];
    block(pen, { texts, x: 3, y: y - 0.6, width: 41, height: 5.4, size: 7, smallest: 6 });
    const codes = `HS ${goods.tariffNumber}, origin ${goods.origin}`;
    line(pen, { text: codes, x: 3, y: y + 6.3, width: 41, size: 5.5 });
    line(pen, { text: kilogramsText(goods.weightGrams), x: 56, y: y + 1.8, width: 11, size: 7, align: 'right' });
    line(pen, { text: goods.value, x: 71, y: y + 1.8, width: 14, size: 7, align: 'right' });
  });
  return 30 + CN22_LINES * 8;
}

function drawCn22Ending(pen: Pen, paper: CustomsPaper, y: number): void {
  const { currency, totalValue, grossWeightGrams, number, numbers, date } = paper;
  rule(pen, { x: 1.5, y, width: 71 });
  line(pen, {
    text: `Total weight ${kilogramsText(grossWeightGrams)} kg`,
    x: 3,
    y: y + 4,
    width: 34,
    size: 7,
    weight: 'bold',
  });
  const total = `Total value ${currency} ${totalValue}`;
  line(pen, { text: total, x: 71, y: y + 4, width: 34, size: 7, weight: 'bold', align: 'right' });
  const references = [`Reference: ${number}`, ...numberLines(numbers)].join('   ');
  block(pen, { texts: [references], x: 3, y: y + 5.5, width: CN22_WIDTH, height: 6, size: 6.5 });
  rule(pen, { x: 1.5, y: y + 12, width: 71 });
  block(pen, { texts: [CN22_CERTIFICATE], x: 3, y: y + 13, width: CN22_WIDTH, height: 14, size: 6 });
  line(pen, { text: `Date: ${date}`, x: 3, y: 101, width: 26, size: 6.5 });
  line(pen, { text: 'Signature:', x: 30, y: 101, width: 14, size: 6.5 });
  rule(pen, { x: 41, y: 101, width: 30 });
}

const CN23 = { widthMm: 210, heightMm: 148 };
const CN23_LEFT = 8;
const CN23_WIDTH = CN23.widthMm - 2 * CN23_LEFT;
const CN23_TABLE = { y: 60, height: 44 };
const CN23_ROWS = 8;
const CN23_COLUMNS: readonly {
  readonly title: string;
  readonly x: number;
  readonly width: number;
  text(line: PaperLine): string;
}[] = [
  { title: 'Detailed description of contents (1)', x: 8, width: 80, text: ({ description }) => description },
  { title: 'Quantity (2)', x: 88, width: 18, text: ({ quantity }) => `${quantity}` },
  { title: 'Net weight kg (3)', x: 106, width: 24, text: ({ weightGrams }) => kilogramsText(weightGrams) },
  { title: 'Value (5)', x: 130, width: 24, text: ({ value }) => value },
  { title: 'HS tariff number (7)', x: 154, width: 28, text: ({ tariffNumber }) => tariffNumber },
  { title: 'Origin (8)', x: 182, width: 20, text: ({ origin }) => origin },
];
const CN23_CERTIFICATE =
  'I certify that the particulars given in this customs declaration are correct and that this item does not contain any dangerous article or articles prohibited by legislation or by postal or customs regulations.';

/** @returns a PDF with a page for each eight lines of goods; the same paper always gives the same bytes */
export async function drawCn23(paper: CustomsPaper): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const fonts = await standardFonts(pdf);
  const count = Math.max(1, Math.ceil(paper.lines.length / CN23_ROWS));
  for (let index = 0; index < count; index += 1) {
    const lines = paper.lines.slice(index * CN23_ROWS, (index + 1) * CN23_ROWS);
    drawCn23Page(newPage(pdf, fonts, CN23), { ...paper, lines }, `${index + 1}/${count}`);
  }
  return pdf.save({ objectsPerTick: Infinity });
}

function drawCn23Page(pen: Pen, paper: CustomsPaper, page: string): void {
  line(pen, { text: 'CUSTOMS DECLARATION / DÉCLARATION EN DOUANE', x: 8, y: 9, width: 110, size: 11, weight: 'bold' });
  line(pen, { text: `CN 23  (${page})`, x: 202, y: 9, width: 40, size: 13, weight: 'bold', align: 'right' });
  drawCn23Parties(pen, paper);
  drawCn23Goods(pen, paper);
  drawCn23Ending(pen, paper);
}

function drawCn23Parties(pen: Pen, paper: CustomsPaper): void {
  const { sender, recipient, numbers, trackingNumbers, parcels } = paper;
  const boxes = [
    ['From / De', [...partyLines(sender), ...contactLines(sender), ...numberLines(numbers)], 8],
    ['To / À', [...partyLines(recipient), ...contactLines(recipient)], 76],
  ] as const;
  for (const [title, texts, x] of boxes) {
    frame(pen, { x, y: 12, width: 66, height: 45 });
    line(pen, { text: title, x: x + 2, y: 16, width: 60, size: 7, weight: 'bold' });
    block(pen, { texts, x: x + 2, y: 17.5, width: 62, height: 38, size: 9 });
  }
  frame(pen, { x: 144, y: 12, width: 58, height: 45 });
  line(pen, { text: 'No. of item / May be opened officially', x: 146, y: 16, width: 54, size: 7, weight: 'bold' });
  const [first = ''] = trackingNumbers;
  const width = first === '' ? null : barcodeWidthMm(first, 54);
  if (width !== null) {
    const place = { x: (144 + (58 - width) / 2) * POINTS_PER_MM, y: fromTop(pen, 34), height: 16 * POINTS_PER_MM };
    drawBarcode(pen.page, first, { ...place, room: 54 });
  }
  const others = [trackingNumbers.join(', ') || '-', `Parcels: ${parcels}`];
  block(pen, { texts: others, x: 146, y: 35, width: 54, height: 20, size: 8 });
}

function drawCn23Goods(pen: Pen, { lines, currency, totalValue, grossWeightGrams }: CustomsPaper): void {
  const { y, height } = CN23_TABLE;
  frame(pen, { x: CN23_LEFT, y, width: CN23_WIDTH, height });
  for (const { title, x, width } of CN23_COLUMNS)
    line(pen, { text: title, x: x + 1, y: y + 3.6, width: width - 2, size: 6.5, weight: 'bold' });
  rule(pen, { x: CN23_LEFT, y: y + 5, width: CN23_WIDTH });
  lines.forEach((goods, index) => {
    const base = y + 8.6 + index * 4.2;
    for (const { x, width, text } of CN23_COLUMNS)
      line(pen, { text: shortened(pen, text(goods), width - 2), x: x + 1, y: base, width: width - 2, size: 7.5 });
  });
  rule(pen, { x: CN23_LEFT, y: y + height - 5.5, width: CN23_WIDTH });
  const total = { y: y + height - 1.8, size: 8, weight: 'bold' } as const;
  line(pen, { text: `Total gross weight (4): ${kilogramsText(grossWeightGrams)} kg`, x: 9, width: 80, ...total });
  line(pen, { text: `Total value (6): ${currency} ${totalValue}`, x: 106, width: 90, ...total });
}

/** Letters do not become smaller than can be read in a form that is filled by a machine. */
function shortened(fonts: Fonts, text: string, width: number): string {
  return columnLines(fonts, text, { width: width * 1.35, size: 7.5, most: 1 }).join('');
}

function drawCn23Ending(pen: Pen, { number, date, incoterms, sender }: CustomsPaper): void {
  const y = CN23_TABLE.y + CN23_TABLE.height + 2;
  frame(pen, { x: CN23_LEFT, y, width: 90, height: 34 });
  line(pen, { text: 'Category of item (10)', x: 10, y: y + 4, width: 60, size: 6.5, weight: 'bold' });
  CATEGORIES.forEach((text, index) => {
    const [column, row] = [index % 3, Math.floor(index / 3)];
    choice(pen, { text, x: 10 + column * 29, y: y + 9 + row * 4.5, width: 28, chosen: CATEGORY });
  });
  const comments = [`Comments (11): terms of delivery ${incoterms ?? '-'}`, `Invoice (14): ${number}`];
  block(pen, { texts: comments, x: 10, y: y + 18, width: 86, height: 14, size: 7.5 });
  frame(pen, { x: 100, y, width: 102, height: 34 });
  block(pen, { texts: [CN23_CERTIFICATE], x: 102, y: y + 1.5, width: 98, height: 13, size: 7 });
  const { city } = sender.address;
  const posted = `Office of origin / date of posting: ${city === null ? '' : `${city}, `}${date}`;
  line(pen, { text: posted, x: 102, y: y + 19, width: 98, size: 7.5 });
  line(pen, { text: 'Date and sender’s signature (15):', x: 102, y: y + 30, width: 44, size: 7.5 });
  rule(pen, { x: 148, y: y + 30, width: 51 });
}
