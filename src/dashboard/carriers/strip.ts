import type { Bar } from '../../operator/carriers/history.js';

const STEP = 5;
const WIDTH = 4;
const HEIGHT = 26;
const TICK = 5;
const FAINT = 2;
/** Above this share of failed calls a bar is drawn as danger. */
const MANY_FAILED = 0.3;

/** One bar: fine is low and grey, failures are higher and coloured, what was not asked is outlined. */
export interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly kind: 'faint' | 'fine' | 'warn' | 'danger' | 'not-asked';
}

export interface Strip {
  readonly width: number;
  readonly height: number;
  readonly bars: readonly Drawn[];
}

export function stripOf(bars: readonly Bar[]): Strip {
  return { width: bars.length * STEP, height: HEIGHT, bars: bars.map(drawn) };
}

function drawn(bar: Bar, place: number): Drawn {
  const { kind, height } = shapeOf(bar);
  return { x: place * STEP, y: HEIGHT - height, width: WIDTH, height, kind };
}

function shapeOf({ answered, failed, parked }: Bar): Pick<Drawn, 'kind' | 'height'> {
  const calls = answered + failed;
  if (calls === 0) return parked > 0 ? { kind: 'not-asked', height: HEIGHT } : { kind: 'faint', height: FAINT };
  const share = failed / calls;
  if (share === 0) return { kind: 'fine', height: TICK };
  const height = Math.round(TICK + 2 + share * (HEIGHT - TICK - 2));
  return { kind: share > MANY_FAILED ? 'danger' : 'warn', height };
}
