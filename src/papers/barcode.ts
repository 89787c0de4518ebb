import bwipjs from 'bwip-js/node';
import {
  type PDFOperator,
  type PDFPage,
  fill,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  rgb,
  setFillingColor,
} from 'pdf-lib';

const POINTS_PER_MM = 72 / 25.4;
/** A dot of a printer with 203 dots in an inch; at 300 and 600 the bars stay within the tolerance of a scanner. */
const DOT_MM = 25.4 / 203;
const MAX_DOTS = 4;
/** The thinnest bar that a hand scanner reads reliably. */
const THINNEST_MM = 0.19;
/** Blank space that a scanner needs at both ends of a Code 128, in widths of its thinnest bar. */
const QUIET_BARS = 10;
const PRINTABLE_ASCII = /^[\x20-\x7e]{1,80}$/;

/**
 * The width of a Code 128 with its quiet zones; its thinnest bar is a whole number of printer dots where there is room.
 * @returns `null`: the text cannot be a Code 128, or there is no room for one that can be read
 */
export function barcodeWidthMm(text: string, roomMm: number): number | null {
  const bar = barMm(text, roomMm);
  return bar === null ? null : bar * modulesOf(text);
}

interface Place {
  /** Of the lower left corner with the quiet zone, in points. */
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** The width that there is, in mm. */
  readonly room: number;
}

/** Draws the Code 128 whose width `barcodeWidthMm` says. */
export function drawBarcode(page: PDFPage, text: string, { x: left, y, height, room }: Place): void {
  const bar = (barMm(text, room) ?? 0) * POINTS_PER_MM;
  const bars: PDFOperator[] = [];
  let x = left + QUIET_BARS * bar;
  widthsOf(text).forEach((width, index) => {
    if (index % 2 === 0) bars.push(rectangle(x, y, width * bar, height));
    x += width * bar;
  });
  page.pushOperators(pushGraphicsState(), setFillingColor(rgb(0, 0, 0)), ...bars, fill(), popGraphicsState());
}

function barMm(text: string, roomMm: number): number | null {
  if (!PRINTABLE_ASCII.test(text)) return null;
  const widest = roomMm / modulesOf(text);
  const dots = Math.min(MAX_DOTS, Math.floor(widest / DOT_MM));
  if (dots >= 2) return dots * DOT_MM;
  return widest >= THINNEST_MM ? widest : null;
}

function modulesOf(text: string): number {
  return widthsOf(text).reduce((sum, width) => sum + width, 2 * QUIET_BARS);
}

/** Widths of bars and spaces in turn, a bar first, in units of the thinnest. */
function widthsOf(text: string): readonly number[] {
  const [symbol] = bwipjs.raw({ bcid: 'code128', text });
  if (!symbol || !('sbs' in symbol)) throw new Error('Code 128 came back as something else than bars');
  return symbol.sbs;
}
