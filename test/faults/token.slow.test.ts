import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Cell } from './cell.js';
import { cellsOf } from './cell.js';
import { observe } from './observe.js';
import type { Seen } from './observe.js';
import { once } from './outcomes.js';
import { differences, printTable, sample, secretsIn } from './report.js';
import { plan, runCells } from './run.js';
import { startPlace } from './stage.js';
import type { Place } from './stage.js';

const GIVE_UP_AFTER_MS = 30 * 60_000;
const PATIENCE_MS = 100_000;

const cells = sample(cellsOf({ token: once.token }), ({ area }) => area);

let place: Place;
const results: Seen[] = [];

/** One after the other, because all areas share one token. */
async function runWithoutToken(cell: Cell): Promise<void> {
  const { control } = place.sandbox;
  control.clearFaults();
  control.forgetRequests();
  control.revokeTokens();
  plan(cell, 1, place);
  const ran = await runCells(place, [cell], { patienceMs: PATIENCE_MS, atOnce: 1 });
  results.push(...(await observe(place, ran)));
}

beforeAll(async () => {
  place = await startPlace(cells, { giveUpAfterMs: GIVE_UP_AFTER_MS, prepare: () => undefined });
  for (const cell of cells) await runWithoutToken(cell);
});

afterAll(async () => {
  await place.close();
  printTable('Faults of the token, once each', results);
});

describe('a fault that happens to the request for a token', () => {
  it('is a wait and nothing more: the booking ends DONE', () => {
    expect(differences(results)).toEqual([]);
  });

  it('is told without a secret that a page quotes', () => {
    expect(secretsIn(place.lines, place.secrets)).toEqual([]);
    expect(place.trap.visits()).toBe(0);
  });
});
