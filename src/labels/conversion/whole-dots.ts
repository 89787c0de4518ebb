import type { BarcodeBars } from './bars.js';
import { barsOf } from './bars.js';
import type { Box, Size } from './matrix.js';
import { MAX_SCALE, MIN_SCALE } from './placement.js';
import { type Raster, inkOf } from './raster.js';

/** How a drawing changes: `times` around its middle, then moved, in dots. */
export interface DrawingChange {
  readonly times: number;
  readonly right: number;
  readonly up: number;
}

/** Changes that small leave every bar as it is. */
const NONE = 0.001;

/**
 * How a page is to be drawn again, so that each bar of its barcode is a whole number of dots and begins with a dot.
 * @param scale at which the page was drawn
 * @returns `null`: it has no barcode, or the bars would have to be too wide or too narrow for the page
 */
export function intoWholeDots(raster: Raster, scale: number): DrawingChange | null {
  const bars = barsOf(raster);
  const ink = bars && inkOf(raster);
  if (bars === null || ink === null) return null;
  const [best] = [Math.floor(bars.module), Math.ceil(bars.module)]
    .map((dots) => ({ times: dots / bars.module, dots }))
    .filter(({ times, dots }) => dots >= 2 && isAllowed(times * scale) && staysInside(raster, ink, times))
    .sort((one, other) => Math.abs(Math.log(one.times)) - Math.abs(Math.log(other.times)));
  return best === undefined ? null : changeOf(bars, raster, best.times);
}

const isAllowed = (scale: number) => scale >= MIN_SCALE - NONE && scale <= MAX_SCALE;

function staysInside({ width, height }: Size, ink: Box, times: number): boolean {
  const sides = [
    [ink.x, ink.width, width],
    [ink.y, ink.height, height],
  ] as const;
  return sides.every(([from, length, side]) => {
    const half = side / 2;
    return half + (from - half) * times >= 0.5 && half + (from + length - half) * times <= side - 0.5;
  });
}

function changeOf({ axis, edge }: BarcodeBars, { width, height }: Size, times: number): DrawingChange | null {
  const half = (axis === 'x' ? width : height) / 2;
  const begins = half + (edge - half) * times;
  const moved = Math.round(begins) - begins;
  if (Math.abs(times - 1) < NONE / 10 && Math.abs(moved) < NONE) return null;
  return axis === 'x' ? { times, right: moved, up: 0 } : { times, right: 0, up: -moved };
}
