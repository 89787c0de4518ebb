import { type Box, type Matrix, type Size, inTurn, moved, scaled, turned } from './matrix.js';

/** Below it the narrowest bars of a barcode become too thin. */
export const MIN_SCALE = 0.8;
/** A label grows up to this, and only where that makes the bars of a barcode whole dots. */
export const MAX_SCALE = 1.1;
/** Sizes that are rounded to whole points or tenths of a millimetre count as equal. */
const ROUNDING = 0.002;

export type AreaFit =
  | { readonly kind: 'fits'; readonly scale: number; readonly quarters: 0 | 1 }
  | { readonly kind: 'too-large'; readonly scale: number };

/**
 * How a label goes onto an area, in points: at its own size where it fits, else smaller, turned by a quarter where that
 * makes it larger. Never stretched.
 * @param area may be without end in one direction
 */
export function fitInto(area: Size, label: Size): AreaFit {
  const [upright, lying] = [largest(area, label), largest(area, { width: label.height, height: label.width })];
  const quarters = upright < 1 && lying > upright ? 1 : 0;
  const scale = Math.min(1, Math.max(upright, quarters === 1 ? lying : 0));
  return scale < MIN_SCALE - ROUNDING ? { kind: 'too-large', scale } : { kind: 'fits', scale, quarters };
}

function largest(area: Size, label: Size): number {
  const scale = Math.min(area.width / label.width, area.height / label.height);
  return Math.abs(scale - 1) < ROUNDING ? 1 : scale;
}

export function sizeOf({ scale, quarters }: AreaFit & { kind: 'fits' }, label: Size): Size {
  const [width, height] = [label.width * scale, label.height * scale];
  return quarters === 1 ? { width: height, height: width } : { width, height };
}

/** From the label's own coordinates to those of a page, in the middle of an area of it. */
export function ontoArea(area: Box, label: Box, fit: AreaFit & { kind: 'fits' }): Matrix {
  const { width, height } = sizeOf(fit, label);
  return inTurn(
    moved(-label.x, -label.y),
    turned(fit.quarters, label),
    scaled(fit.scale),
    moved(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2),
  );
}
