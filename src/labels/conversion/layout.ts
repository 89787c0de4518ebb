import type { Box, Size } from './matrix.js';
import { type LabelTarget, pointsOf } from './target.js';

/** Upright, in mm. */
const SHEETS = { A4: [210, 297], A5: [148, 210], letter: [215.9, 279.4] } as const;

/** Where labels go on a page, in points. */
export interface Layout {
  readonly page: Size;
  readonly areas: readonly [Box, ...Box[]];
}

/**
 * @returns `null`: the target says no size, so each page keeps its own; a side without end is as long as the label needs
 */
export function layoutOf(target: LabelTarget): Layout | null {
  const label = {
    width: target.widthMm === null ? Infinity : pointsOf(target.widthMm),
    height: target.heightMm === null ? Infinity : pointsOf(target.heightMm),
  };
  if (target.sheet !== null) return sheetOf(target.sheet, Math.max(1, Math.trunc(target.perSheet)), label);
  if (target.widthMm === null && target.heightMm === null) return null;
  return { page: label, areas: [{ x: 0, y: 0, ...label }] };
}

/** In rows from the top, as many columns as keep the places nearest to a square. */
function sheetOf(sheet: NonNullable<LabelTarget['sheet']>, count: number, label: Size): Layout {
  const [width, height] = SHEETS[sheet].map(pointsOf) as [number, number];
  const columns = columnsOf(count);
  const cell = { width: width / columns, height: (height * columns) / count };
  const size = { width: Math.min(cell.width, label.width), height: Math.min(cell.height, label.height) };
  const area = (place: number): Box => ({
    x: (place % columns) * cell.width + (cell.width - size.width) / 2,
    y: height - (Math.floor(place / columns) + 1) * cell.height + (cell.height - size.height) / 2,
    ...size,
  });
  return { page: { width, height }, areas: [area(0), ...Array.from({ length: count - 1 }, (_none, n) => area(n + 1))] };
}

function columnsOf(count: number): number {
  let columns = Math.floor(Math.sqrt(count));
  while (count % columns !== 0) columns -= 1;
  return columns;
}
