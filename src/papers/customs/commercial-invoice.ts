import { PDFDocument } from 'pdf-lib';
import { GREY, type Fonts, type Pen, block, columnLines, frame, line, newPage, rule, standardFonts } from '../pen.js';
import {
  type CustomsPaper,
  type PaperLine,
  partyLines,
  contactLines,
  countryName,
  kilogramsText,
  numberLines,
} from './customs-paper.js';

/*
 * Millimetres on A4 upright, from the upper left corner.
 */
const A4 = { widthMm: 210, heightMm: 297 };
const LEFT = 15;
const RIGHT = 195;
const WIDTH = RIGHT - LEFT;
const HALF = (WIDTH - 4) / 2;
const PARTIES = { y: 30, height: 42 };
const FACTS_Y = PARTIES.y + PARTIES.height + 4;
const FACTS_HEIGHT = 26;
const FIRST_TABLE_Y = FACTS_Y + FACTS_HEIGHT + 6;
const LATER_TABLE_Y = 30;
const LAST_LINE_Y = 276;
/** The height of the totals, the declaration and the signature. */
const ENDING = 66;
const TEXT = 8.5;
const LINE = 3.9;
const MAX_DESCRIPTION_LINES = 4;
/** Room for what the shipment does not say. */
const TO_BE_WRITTEN = '_'.repeat(20);

interface Column {
  readonly title: string;
  readonly x: number;
  readonly width: number;
  readonly align?: 'right';
  text(line: PaperLine, index: number): string;
}

const DESCRIPTION: Column = { title: 'Description of goods', x: 23, width: 66, text: ({ description }) => description };
const COLUMNS: readonly Column[] = [
  { title: 'No.', x: LEFT, width: 7, text: (_line, index) => `${index + 1}` },
  DESCRIPTION,
  { title: 'HS code', x: 91, width: 21, text: ({ tariffNumber }) => tariffNumber },
  { title: 'Origin', x: 114, width: 11, text: ({ origin }) => origin },
  { title: 'Quantity', x: 139, width: 13, align: 'right', text: ({ quantity }) => `${quantity}` },
  { title: 'Net kg', x: 155, width: 15, align: 'right', text: ({ weightGrams }) => kilogramsText(weightGrams) },
  { title: 'Unit value', x: 174, width: 18, align: 'right', text: ({ unitValue }) => unitValue },
  { title: 'Value', x: RIGHT, width: 20, align: 'right', text: ({ value }) => value },
];

/** @returns a PDF of A4 pages; the same paper always gives the same bytes */
export async function drawCommercialInvoice(paper: CustomsPaper): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const fonts = await standardFonts(pdf);
  const next = () => startPage(pdf, fonts, paper);
  let place = next();
  drawHead(place.pen, paper);
  place = { ...place, y: drawTitles(place.pen, FIRST_TABLE_Y) };
  for (const [index, goods] of paper.lines.entries()) {
    const description = columnLines(fonts, goods.description, {
      ...DESCRIPTION,
      size: TEXT,
      most: MAX_DESCRIPTION_LINES,
    });
    const height = Math.max(1, description.length) * LINE + 1.6;
    if (place.y + height > LAST_LINE_Y) place = continued(next());
    drawRow(place, goods, { index, description });
    place = { ...place, y: place.y + height };
  }
  if (place.y + ENDING > LAST_LINE_Y) place = continued(next());
  drawEnding(place, paper);
  const pages = pdf.getPages();
  pages.forEach((page, index) => {
    const text = `Page ${index + 1} of ${pages.length}`;
    line({ ...fonts, page }, { text, x: RIGHT, y: 287, width: 60, size: 7.5, align: 'right', color: GREY });
  });
  return pdf.save({ objectsPerTick: Infinity });
}

interface Place {
  readonly pen: Pen;
  /** The upper edge of what comes next. */
  readonly y: number;
}

function startPage(pdf: PDFDocument, fonts: Fonts, { number, date }: CustomsPaper): Place {
  const pen = newPage(pdf, fonts, A4);
  line(pen, { text: 'COMMERCIAL INVOICE', x: LEFT, y: 20, width: 110, size: 17, weight: 'bold' });
  line(pen, { text: `No. ${number}`, x: RIGHT, y: 17, width: 70, size: 10, weight: 'bold', align: 'right' });
  line(pen, { text: date, x: RIGHT, y: 22, width: 70, size: 9, align: 'right' });
  rule(pen, { x: LEFT, y: 25, width: WIDTH });
  return { pen, y: LATER_TABLE_Y };
}

function continued({ pen, y }: Place): Place {
  return { pen, y: drawTitles(pen, y) };
}

function drawHead(pen: Pen, paper: CustomsPaper): void {
  const { sender, recipient, numbers } = paper;
  titled(pen, {
    ...{ x: LEFT, ...PARTIES, width: HALF, title: 'SELLER / EXPORTER' },
    texts: [...partyLines(sender), ...contactLines(sender), ...numberLines(numbers)],
  });
  titled(pen, {
    ...{ x: LEFT + HALF + 4, ...PARTIES, width: HALF, title: 'BUYER / CONSIGNEE' },
    texts: [...partyLines(recipient), ...contactLines(recipient)],
  });
  const { countryCode } = recipient.address;
  const left = [
    `Reason for export: Sale of goods`,
    `Terms of delivery (Incoterms 2020): ${paper.incoterms ?? TO_BE_WRITTEN}`,
    `Currency: ${paper.currency}`,
    `Country of destination: ${countryCode === null ? '-' : countryName(countryCode)}`,
  ];
  const right = [
    `Carrier: ${paper.carrierName}`,
    `Parcels: ${paper.parcels}`,
    `Gross weight: ${kilogramsText(paper.grossWeightGrams)} kg`,
    `Tracking: ${paper.trackingNumbers.join(', ') || '-'}`,
  ];
  const facts = { y: FACTS_Y, width: HALF, height: FACTS_HEIGHT };
  titled(pen, { ...facts, x: LEFT, title: 'TERMS', texts: left });
  titled(pen, { ...facts, x: LEFT + HALF + 4, title: 'TRANSPORT', texts: right });
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly texts: readonly string[];
}

function titled(pen: Pen, { title, texts, ...box }: Box): void {
  frame(pen, box);
  line(pen, { text: title, x: box.x + 2, y: box.y + 4, width: box.width - 4, size: 7, weight: 'bold', color: GREY });
  const inside = { x: box.x + 2, y: box.y + 5.5, width: box.width - 4, height: box.height - 7 };
  block(pen, { texts, ...inside, size: 9 });
}

/** @returns the upper edge of the first row */
function drawTitles(pen: Pen, y: number): number {
  for (const { title, x, width, align } of COLUMNS)
    line(pen, { text: title, x, y: y + 3, width, size: 7.5, weight: 'bold', ...(align && { align }) });
  rule(pen, { x: LEFT, y: y + 4.6, width: WIDTH });
  return y + 6;
}

interface Row {
  readonly index: number;
  readonly description: readonly string[];
}

function drawRow({ pen, y }: Place, goods: PaperLine, { index, description }: Row): void {
  const base = y + 3;
  for (const column of COLUMNS.filter((one) => one !== DESCRIPTION)) {
    const { x, width, align } = column;
    line(pen, { text: column.text(goods, index), x, y: base, width, size: TEXT, ...(align && { align }) });
  }
  description.forEach((text, place) => {
    line(pen, { text, x: DESCRIPTION.x, y: base + place * LINE, width: DESCRIPTION.width, size: TEXT });
  });
}

const DECLARATION =
  'I declare that the information on this invoice is true and correct, and that the contents of this consignment are as stated above.';

function drawEnding({ pen, y }: Place, paper: CustomsPaper): void {
  const { lines, currency, totalValue, parcels, grossWeightGrams, sender, date } = paper;
  rule(pen, { x: LEFT, y, width: WIDTH });
  // Metres and kilograms are no whole numbers, and their sums would have a long tail: 1.1 + 2.2.
  const pieces = Number(lines.reduce((sum, { quantity }) => sum + quantity, 0).toFixed(4));
  const net = kilogramsText(lines.reduce((sum, { weightGrams }) => sum + weightGrams, 0));
  const total = { y: y + 6, size: 9.5, weight: 'bold', align: 'right' } as const;
  line(pen, { text: 'Total', x: DESCRIPTION.x, y: y + 6, width: 40, size: 9.5, weight: 'bold' });
  line(pen, { text: `${pieces}`, x: 139, width: 20, ...total });
  line(pen, { text: net, x: 155, width: 15, ...total });
  line(pen, { text: `${currency} ${totalValue}`, x: RIGHT, width: 38, ...total });
  const gross = `${parcels} ${parcels === 1 ? 'parcel' : 'parcels'}, gross weight ${kilogramsText(grossWeightGrams)} kg`;
  line(pen, { text: gross, x: DESCRIPTION.x, y: y + 11, width: 100, size: TEXT });
  block(pen, { texts: [DECLARATION], x: LEFT, y: y + 18, width: WIDTH, height: 10, size: 9 });
  const fields = [
    ['Place and date', `${sender.address.city ?? ''}${sender.address.city === null ? '' : ', '}${date}`, LEFT, 52],
    ['Name in block letters', '', LEFT + 58, 52],
    ['Signature', '', LEFT + 116, WIDTH - 116],
  ] as const;
  for (const [title, text, x, width] of fields) {
    line(pen, { text, x, y: y + 48, width, size: 9 });
    rule(pen, { x, y: y + 50, width });
    line(pen, { text: title, x, y: y + 54, width, size: 7.5, color: GREY });
  }
}
