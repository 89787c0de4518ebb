import type { Hour } from '../operator/overview/bookings.js';
import { type Times, count } from './format.js';

/** Of the drawing, in its own units. */
const SIZE = { width: 720, height: 128, left: 36, bottom: 18, top: 6 } as const;
/** A failure among many bookings is still seen. */
const LEAST_FAILURE = 3;
const BAR_SHARE = 0.62;
const HOUR_MS = 3_600_000;
const LINES = 4;

export interface Bar {
  readonly x: number;
  readonly width: number;
  readonly label: string;
  readonly labelX: number;
  /** From the bottom to the top; those of no height are left out. */
  readonly parts: readonly { readonly kind: 'bar' | 'warn' | 'danger'; readonly y: number; readonly height: number }[];
}

export interface BarChart {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly bars: readonly Bar[];
  readonly lines: readonly { readonly y: number; readonly label: string }[];
  /** The same numbers for people who cannot see the drawing. */
  readonly rows: readonly {
    readonly hour: string;
    readonly booked: number;
    readonly warn: number;
    readonly refused: number;
  }[];
  readonly totals: { readonly booked: string; readonly warn: string; readonly refused: string };
}

/** Bookings by hour, stacked from zero, failures on top. */
export function barChart(hours: readonly Hour[], times: Times): BarChart {
  const rows = hours.map((hour) => ({ hour: times.hour(hour.from), from: hour.from, ...split(hour) }));
  const most = niceAbove(Math.max(...rows.map((row) => row.booked + row.warn + row.refused)));
  const inside = SIZE.height - SIZE.bottom - SIZE.top;
  const heightOf = (value: number) => (value / most) * inside;
  const step = (SIZE.width - SIZE.left) / rows.length;
  const bars = rows.map((row, place) => {
    const x = round(SIZE.left + place * step + (step * (1 - BAR_SHARE)) / 2);
    const label = new Date(row.from).getTime() % (2 * HOUR_MS) === 0 ? row.hour : '';
    const labelX = round(SIZE.left + (place + 0.5) * step);
    return { x, width: round(step * BAR_SHARE), label, labelX, parts: partsOf(row, heightOf) };
  });
  const sum = (kind: 'booked' | 'warn' | 'refused') => count(rows.reduce((total, row) => total + row[kind], 0));
  return {
    ...{ width: SIZE.width, height: SIZE.height, left: SIZE.left, bars },
    lines: Array.from({ length: LINES }, (_, place) => {
      const value = (most / (LINES - 1)) * place;
      return { y: round(SIZE.height - SIZE.bottom - heightOf(value)), label: count(value) };
    }),
    rows: rows.map(({ hour, booked, warn, refused }) => ({ hour, booked, warn, refused })),
    totals: { booked: sum('booked'), warn: sum('warn'), refused: sum('refused') },
  };
}

function split({ byOutcome }: Hour): { readonly booked: number; readonly warn: number; readonly refused: number } {
  const { booked, underWay, incomplete, inDoubt, refused } = byOutcome;
  return { booked: booked + underWay, warn: incomplete + inDoubt, refused };
}

function partsOf(row: ReturnType<typeof split>, heightOf: (value: number) => number): Bar['parts'] {
  let y: number = SIZE.height - SIZE.bottom;
  return (
    [
      ['bar', row.booked],
      ['warn', row.warn],
      ['danger', row.refused],
    ] as const
  ).flatMap(([kind, value]) => {
    if (value === 0) return [];
    const height = Math.max(heightOf(value), kind === 'bar' ? 1 : LEAST_FAILURE);
    y -= height;
    return [{ kind, y: round(y), height: round(height) }];
  });
}

/** A round number that three steps divide. */
function niceAbove(value: number): number {
  const step = Math.max(1, value / (LINES - 1));
  const power = 10 ** Math.floor(Math.log10(step));
  const nice = [1, 2, 4, 5, 8, 10].find((one) => one * power >= step) ?? 10;
  return nice * power * (LINES - 1);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
