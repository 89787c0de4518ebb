import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cellsOf } from './cell.js';
import { observe } from './observe.js';
import type { Seen } from './observe.js';
import { lasting } from './outcomes.js';
import { differences, isWhole, printTable, secretsIn } from './report.js';
import { plan, runCells } from './run.js';
import { startPlace } from './surroundings.js';
import type { Place } from './surroundings.js';

/** Longer than a call of the IMS takes that is answered at once, with all its tries. */
const GIVE_UP_AFTER_MS = 12_000;
/** Beyond the give-up time a document is ON_GOING for as long as three calls of the IMS take at most, 25 s each. */
const MARGIN_MS = 75_000;
const AT_ONCE = 32;
const LONGEST_RUN_MS = 10 * 60_000;
/** What runs where not all of it does: one of each kind of end. */
const IN_SHORT: readonly string[] = ['429', '503', 'reset after'];

const all = cellsOf(lasting);
const cells = isWhole ? all : all.filter(({ faultName }) => IN_SHORT.includes(faultName));

let place: Place;
let results: readonly Seen[] = [];

beforeAll(async () => {
  const prepare = (about: Parameters<typeof plan>[2]) => cells.forEach((cell) => plan(cell, 'always', about));
  place = await startPlace(cells, { giveUpAfterMs: GIVE_UP_AFTER_MS, prepare });
  const pace = { patienceMs: GIVE_UP_AFTER_MS + MARGIN_MS, atOnce: AT_ONCE };
  results = await observe(place, await runCells(place, cells, pace));
}, LONGEST_RUN_MS);

afterAll(async () => {
  await place.close();
  printTable('Faults that never end', results);
});

describe('a fault that never ends', () => {
  it('ends as stated, and leaves no document ON_GOING beyond its give-up time', () => {
    expect(differences(results)).toEqual([]);
  });

  it('is told without a secret that a page quotes', () => {
    expect(secretsIn(place.lines, place.secrets)).toEqual([]);
    expect(
      secretsIn(
        results.flatMap(({ messages }) => messages),
        place.secrets,
      ),
    ).toEqual([]);
  });
});
