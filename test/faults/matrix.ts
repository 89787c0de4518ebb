import type { Cell } from './cell.js';
import { observe, onlyRepeated, onlyTimedOut } from './observe.js';
import type { Seen } from './observe.js';
import { isWhole, printAgain, secretsIn } from './report.js';
import { plan, runCells } from './run.js';
import type { Pace } from './run.js';
import { startPlace } from './stage.js';

/** More in one process would keep each other from being answered in time, where a whole row of them is slow. */
const CELLS_IN_ONE_PLACE = isWhole ? 80 : 120;

export interface Matrix extends Pace {
  readonly times: 1 | 'always';
  readonly giveUpAfterMs: number;
}

export interface MatrixSeen {
  readonly results: readonly Seen[];
  /** Secrets that stand in a log line or in a message. */
  readonly told: readonly string[];
  /** Requests that went where a redirect points. */
  readonly trapped: number;
}

/**
 * Runs every cell. What comes out otherwise than stated counts as it is. Only of a fault that happens once, a cell whose end
 * we did not wait for, or where a deadline passed on the way to a good end, runs again with less around it: a machine that is
 * too busy makes delays of its own. A fault that
 * never ends is about that very time, and has no second run.
 */
export async function runMatrix(cells: readonly Cell[], matrix: Matrix): Promise<MatrixSeen> {
  const first = await runInPlaces(cells, matrix);
  const again = matrix.times === 'always' ? [] : first.results.filter((one) => onlyTimedOut(one) || onlyRepeated(one));
  if (again.length === 0) return first;
  printAgain(again);
  const calmer = { ...matrix, atOnce: Math.ceil(matrix.atOnce / 4) };
  const second = await runInPlaces(
    again.map(({ cell }) => cell),
    calmer,
  );
  const kept = first.results.filter((one) => !again.includes(one));
  const repeated = second.results.map((one) => ({ ...one, isRepeated: true }));
  return { ...joined([first, second]), results: [...kept, ...repeated] };
}

async function runInPlaces(cells: readonly Cell[], matrix: Matrix): Promise<MatrixSeen> {
  const all: MatrixSeen[] = [];
  for (let begin = 0; begin < cells.length; begin += CELLS_IN_ONE_PLACE)
    all.push(await runInOnePlace(cells.slice(begin, begin + CELLS_IN_ONE_PLACE), matrix));
  return joined(all);
}

async function runInOnePlace(cells: readonly Cell[], { times, giveUpAfterMs, ...pace }: Matrix): Promise<MatrixSeen> {
  const place = await startPlace(cells, {
    giveUpAfterMs,
    prepare: (about) => cells.forEach((cell) => plan(cell, times, about)),
  });
  try {
    const results = await observe(place, await runCells(place, cells, pace));
    const texts = [...place.lines, ...results.flatMap(({ messages }) => messages)];
    return { results, told: secretsIn(texts, place.secrets), trapped: place.trap.visits() };
  } finally {
    await place.close();
  }
}

function joined(all: readonly MatrixSeen[]): MatrixSeen {
  return {
    results: all.flatMap(({ results }) => results),
    told: all.flatMap(({ told }) => told),
    trapped: all.reduce((sum, one) => sum + one.trapped, 0),
  };
}
