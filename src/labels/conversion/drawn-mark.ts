import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef, PDFStream } from 'pdf-lib';
import { type Box, type Matrix, boxAfter, inTurn, moved } from './matrix.js';

/** The drawing of a mark (PDF 1.7, 12.5.5), and the way from its coordinates to those of its page. */
export interface DrawnMark {
  readonly drawing: PDFRef;
  readonly toPage: Matrix;
}

/** @returns `null`: it has no drawing of its own */
export function drawnMark(mark: PDFDict): DrawnMark | null {
  const drawing = drawingOf(mark);
  const form = drawing === null ? undefined : mark.context.lookup(drawing);
  const rect = boxOf(mark.lookup(PDFName.of('Rect')));
  if (drawing === null || !(form instanceof PDFStream) || rect === null) return null;
  const box = boxOf(form.dict.lookup(PDFName.of('BBox')));
  if (box === null) return null;
  const own = numbersOf(form.dict.lookup(PDFName.of('Matrix')));
  const shown = boxAfter((own.length === 6 ? own : [1, 0, 0, 1, 0, 0]) as unknown as Matrix, box);
  if (shown.width <= 0 || shown.height <= 0) return null;
  const stretched: Matrix = [rect.width / shown.width, 0, 0, rect.height / shown.height, 0, 0];
  return { drawing, toPage: inTurn(moved(-shown.x, -shown.y), stretched, moved(rect.x, rect.y)) };
}

/** A mark with several states names the one it is in. */
function drawingOf(mark: PDFDict): PDFRef | null {
  const all = mark.lookup(PDFName.of('AP'));
  if (!(all instanceof PDFDict)) return null;
  const normal = all.lookup(PDFName.of('N'));
  const state = mark.lookup(PDFName.of('AS'));
  const found = normal instanceof PDFDict && state instanceof PDFName ? normal.get(state) : all.get(PDFName.of('N'));
  return found instanceof PDFRef ? found : null;
}

function boxOf(value: unknown): Box | null {
  const [left, low, right, high] = numbersOf(value);
  if (left === undefined || low === undefined || right === undefined || high === undefined) return null;
  return {
    x: Math.min(left, right),
    y: Math.min(low, high),
    width: Math.abs(right - left),
    height: Math.abs(high - low),
  };
}

function numbersOf(value: unknown): readonly number[] {
  if (!(value instanceof PDFArray)) return [];
  return value.asArray().flatMap((_ref, place) => {
    const number = value.lookup(place);
    return number instanceof PDFNumber ? [number.asNumber()] : [];
  });
}
