import bwipjs from 'bwip-js/node';
import { PDFDocument, type PDFPage, StandardFonts, degrees } from 'pdf-lib';

const POINTS_PER_MM = 72 / 25.4;

/** A symbol with what a reader of it says. */
export interface Symbol {
  readonly kind: string;
  readonly text: string;
  /** As the reader gives it; control characters are left out. */
  readonly read: string;
}

export const SYMBOLS: readonly Symbol[] = [
  { kind: 'code128', text: 'JJD000390007812345678', read: 'JJD000390007812345678' },
  { kind: 'gs1-128', text: '(00)370735230012345674', read: '00370735230012345674' },
  { kind: 'interleaved2of5', text: '123456789012', read: '123456789012' },
  {
    kind: 'qrcode',
    text: 'https://parcel.example/t/370735230012345679',
    read: 'https://parcel.example/t/370735230012345679',
  },
  { kind: 'datamatrix', text: 'DM 00370735230012345679', read: 'DM 00370735230012345679' },
  { kind: 'azteccode', text: 'AZ 00370735230012345679', read: 'AZ 00370735230012345679' },
  { kind: 'pdf417', text: 'PDF417 00370735230012345679 Odense', read: 'PDF417 00370735230012345679 Odense' },
  { kind: 'maxicode', text: 'MAXI 370735230012345679', read: 'MAXI 370735230012345679' },
];

const isLinear = ({ kind }: Symbol) => ['code128', 'gs1-128', 'interleaved2of5'].includes(kind);

/** Where a symbol is drawn: from the left and the top of a label, in mm. */
interface Spot {
  readonly symbol: Symbol;
  readonly leftMm: number;
  readonly topMm: number;
}

/** The bars of a linear symbol, in modules: bar, space, bar, … */
function bars({ kind, text }: Symbol): readonly number[] {
  const [{ sbs }] = bwipjs.raw({ bcid: kind, text }) as unknown as [{ readonly sbs: readonly number[] }];
  return sbs;
}

/** By kind: drawn once for all labels. */
const pictures = new Map<string, Promise<Uint8Array>>();

function pictureOf({ kind, text }: Symbol): Promise<Uint8Array> {
  const drawn =
    pictures.get(kind) ??
    bwipjs.toBuffer({ bcid: kind, text, scale: 8, ...(kind === 'pdf417' && { columns: 5, scaleY: 24 }) });
  pictures.set(kind, drawn);
  return drawn;
}

/** Sides in mm: modules as wide as carriers have them. */
const WIDTHS: Readonly<Record<string, number>> = {
  qrcode: 22,
  datamatrix: 16,
  azteccode: 18,
  pdf417: 62,
  maxicode: 28,
};

async function drawSymbol(page: PDFPage, { symbol, leftMm, topMm }: Spot, moduleMm: number): Promise<void> {
  const top = page.getHeight() - topMm * POINTS_PER_MM;
  if (!isLinear(symbol)) {
    const image = await page.doc.embedPng(await pictureOf(symbol));
    const width = (WIDTHS[symbol.kind] ?? 20) * POINTS_PER_MM;
    const height = (width * image.height) / image.width;
    page.drawImage(image, { x: leftMm * POINTS_PER_MM, y: top - height, width, height });
    return;
  }
  const module = moduleMm * POINTS_PER_MM;
  let x = leftMm * POINTS_PER_MM;
  for (const [place, width] of bars(symbol).entries()) {
    if (place % 2 === 0)
      page.drawRectangle({ x, y: top - 14 * POINTS_PER_MM, width: width * module, height: 14 * POINTS_PER_MM });
    x += width * module;
  }
}

/** A label of 100 x 150 mm with every symbol. */
const FULL: readonly (readonly [kind: string, leftMm: number, topMm: number])[] = [
  ['gs1-128', 10, 8],
  ['code128', 10, 28],
  ['interleaved2of5', 10, 48],
  ['pdf417', 10, 68],
  ['qrcode', 8, 98],
  ['datamatrix', 38, 98],
  ['azteccode', 62, 98],
  ['maxicode', 10, 118],
];

/** The reader finds a MaxiCode only where nothing is beside it. */
export const TOGETHER = SYMBOLS.map(({ kind }) => kind).filter((kind) => kind !== 'maxicode');

/** A label on a page, or several; all in mm. */
export interface Shape {
  readonly pageMm: readonly [number, number];
  readonly moduleMm?: number;
  /** Left and top of each label on the page. */
  readonly at?: readonly (readonly [number, number])[];
  /** How the page is turned by its reader. */
  readonly turned?: number;
  /** Symbols that are drawn; all that a reader finds beside others when nothing is said. */
  readonly kinds?: readonly string[];
}

export async function labelOf({
  pageMm,
  moduleMm = 0.375,
  at = [[0, 0]],
  turned = 0,
  kinds = TOGETHER,
}: Shape): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage([pageMm[0] * POINTS_PER_MM, pageMm[1] * POINTS_PER_MM]);
  page.setRotation(degrees(turned));
  for (const [left, top] of at) {
    for (const [kind, leftMm, topMm] of FULL) {
      const symbol = SYMBOLS.find((one) => one.kind === kind);
      if (symbol === undefined || !kinds.includes(kind)) continue;
      await drawSymbol(page, { symbol, leftMm: left + leftMm, topMm: top + topMm }, moduleMm);
    }
    if (kinds.length > 1)
      page.drawText('Birkevej 12, 5000 Odense C', {
        ...{ x: (left + 97) * POINTS_PER_MM, y: page.getHeight() - (top + 145) * POINTS_PER_MM, size: 9, font },
        rotate: degrees(90),
      });
  }
  return document.save();
}
