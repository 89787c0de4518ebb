import bwipjs from 'bwip-js/node';

/** A GS1-128 symbol as widths of bars and spaces in turn, a bar first, in modules. */
export interface Bars {
  readonly widths: readonly number[];
  readonly modules: number;
}

/** Blank space that a scanner needs at both ends, in modules. */
export const QUIET_MODULES = 10;

/** @param elements e.g. `(00)376104250021234569` @throws Error GS1 does not allow them */
export function gs1Bars(elements: string): Bars {
  const [symbol] = bwipjs.raw({ bcid: 'gs1-128', text: elements });
  if (!symbol || !('sbs' in symbol)) throw new Error('GS1-128 came back as something else than bars');
  return { widths: symbol.sbs, modules: symbol.sbs.reduce((sum, width) => sum + width, 0) };
}
