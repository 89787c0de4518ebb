import type { Raster } from './raster.js';

/** The bars of a linear barcode, in dots. */
export interface BarcodeBars {
  /** Along which they stand side by side; `y` from the top. */
  readonly axis: 'x' | 'y';
  /** Width of the narrowest bar. */
  readonly module: number;
  /** The place at which a bar begins. */
  readonly edge: number;
}

interface Found extends BarcodeBars {
  /** The widths of all bars and spaces, in modules. */
  readonly pattern: string;
}

/** A line every millimetre finds each barcode that a scanner finds. */
const LINE_EVERY = 8;
/** Code 128 with four letters; text and pictures have no such number in a row. */
const MIN_EDGES = 40;
const MAX_RUN = 36;
const MIN_MODULE = 1.2;
/** The largest distance of an edge from its place in whole modules, in dots. */
const MAX_OFF = 0.3;
/** A linear barcode is higher than a row of PDF417. */
const MIN_LINES = 3;

/** Finds the highest barcode, upright or on its side; `null`: there is none. */
export function barsOf(raster: Raster): BarcodeBars | null {
  const found = [...alongX(raster), ...alongY(raster)];
  const lines = new Map<string, Found[]>();
  for (const bars of found) lines.set(bars.pattern, [...(lines.get(bars.pattern) ?? []), bars]);
  const [highest = []] = [...lines.values()].sort((one, other) => other.length - one.length);
  return highest.length < MIN_LINES ? null : (highest[Math.floor(highest.length / 2)] ?? null);
}

function alongX({ width, height, grey }: Raster): readonly Found[] {
  const lines = Array.from({ length: Math.floor(height / LINE_EVERY) }, (_none, n) => n * LINE_EVERY * width);
  return lines.flatMap((from) =>
    onLine(grey.subarray(from, from + width)).map((bars) => ({ axis: 'x' as const, ...bars })),
  );
}

function alongY({ width, height, grey }: Raster): readonly Found[] {
  const line = new Uint8Array(height);
  return Array.from({ length: Math.floor(width / LINE_EVERY) }, (_none, n) => n * LINE_EVERY).flatMap((column) => {
    for (let row = 0; row < height; row += 1) line[row] = grey[row * width + column] ?? 255;
    return onLine(line).map((bars) => ({ axis: 'y' as const, ...bars }));
  });
}

function onLine(line: Uint8Array): readonly Omit<Found, 'axis'>[] {
  return rowsOfBars(edgesOf(line)).flatMap((edges) => measured(edges) ?? []);
}

/** Where a line changes between black and white. A dot that an edge crosses is as grey as its part that is black. */
function edgesOf(line: Uint8Array): readonly number[] {
  const edges: number[] = [];
  for (let dot = 1; dot < line.length; dot += 1) {
    const [before = 255, shade = 255] = [line[dot - 1], line[dot]];
    if (before < 128 === shade < 128) continue;
    edges.push(dot - 1 + (shade < 128 ? before + shade : 510 - before - shade) / 255);
  }
  return edges;
}

function rowsOfBars(edges: readonly number[]): readonly (readonly number[])[] {
  const rows: number[][] = [[]];
  for (const [place, edge] of edges.entries()) {
    if (edge - (edges[place - 1] ?? edge) > MAX_RUN) rows.push([]);
    rows.at(-1)?.push(edge);
  }
  return rows.filter((row) => row.length >= MIN_EDGES);
}

/** The module that all widths are multiples of. */
function measured(edges: readonly number[]): Omit<Found, 'axis'> | null {
  const widths = edges.slice(1).map((edge, place) => edge - (edges[place] ?? 0));
  const narrow = [...widths].sort((one, other) => one - other).slice(0, Math.ceil(widths.length / 4));
  let module = mean(narrow);
  let begin = edges[0] ?? 0;
  let modules: readonly number[] = [];
  for (let round = 0; round < 3; round += 1) {
    if (module < MIN_MODULE) return null;
    let total = 0;
    modules = [0, ...widths.map((width) => (total += Math.max(1, Math.round(width / module))))];
    ({ module, begin } = line(modules, edges));
    const off = edges.map((edge, place) => Math.abs(edge - begin - (modules[place] ?? 0) * module));
    if (round === 2 && Math.max(...off) > MAX_OFF) return null;
  }
  return { module, edge: begin, pattern: modules.join() };
}

/** The straight line nearest to all points. */
function line(xs: readonly number[], ys: readonly number[]): { readonly module: number; readonly begin: number } {
  const [x, y] = [mean(xs), mean(ys)];
  const over = xs.reduce((sum, each, place) => sum + (each - x) * ((ys[place] ?? 0) - y), 0);
  const module = over / xs.reduce((sum, each) => sum + (each - x) ** 2, 0);
  return { module, begin: y - module * x };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
