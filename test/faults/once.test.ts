import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cellsOf } from './cell.js';
import { observe } from './observe.js';
import type { Seen } from './observe.js';
import { once } from './outcomes.js';
import { differences, printTable, sample, secretsIn } from './report.js';
import { plan, runCells } from './run.js';
import { startPlace } from './surroundings.js';
import type { Place } from './surroundings.js';

const GIVE_UP_AFTER_MS = 30 * 60_000;
const PATIENCE_MS = 100_000;
/** More would keep one core from answering in time. */
const AT_ONCE = 8;
const LONGEST_RUN_MS = 8 * 60_000;

/** The token is shared by all of them: it has a test of its own. */
const ofOneCell = cellsOf(once).filter(({ callName }) => callName !== 'token');
const cells = sample(ofOneCell, ({ area }) => area);

let place: Place;
let results: readonly Seen[] = [];

beforeAll(async () => {
  const prepare = (about: Parameters<typeof plan>[2]) => cells.forEach((cell) => plan(cell, 1, about));
  place = await startPlace(cells, { giveUpAfterMs: GIVE_UP_AFTER_MS, prepare });
  results = await observe(place, await runCells(place, cells, { patienceMs: PATIENCE_MS, atOnce: AT_ONCE }));
}, LONGEST_RUN_MS);

afterAll(async () => {
  await place.close();
  printTable('Faults that happen once', results);
});

describe('a fault that happens once at a call of a booking', () => {
  it('ends as stated, with one booking, one file and at most one print', () => {
    expect(differences(results)).toEqual([]);
  });

  it('leads nobody to where a redirect points, but for labels, which are links', () => {
    const links = cells.filter(({ callName, faultName }) => callName === 'bring label' && faultName === '302');
    expect(place.trap.visits()).toBe(links.length);
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
