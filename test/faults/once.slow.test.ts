import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cellsOf } from './cell.js';
import { runMatrix } from './matrix.js';
import type { MatrixSeen } from './matrix.js';
import { once } from './outcomes.js';
import { askedFor, differences, printTable, sample } from './report.js';

const GIVE_UP_AFTER_MS = 30 * 60_000;
const PATIENCE_MS = 100_000;
const AT_ONCE = 8;
const MAX_RUN_MS = 15 * 60_000;

/** The token is shared by all of them: it has a test of its own. */
const ofOneCell = askedFor(cellsOf(once)).filter(({ callName }) => callName !== 'token');
const cells = sample(ofOneCell, ({ area }) => area);

/** Where they lead on, they are followed. */
const LINKS: readonly string[] = ['bring label', 'budbee label'];

let seen: MatrixSeen = { results: [], told: [], trapped: 0 };

beforeAll(async () => {
  const pace = { patienceMs: PATIENCE_MS, atOnce: AT_ONCE };
  seen = await runMatrix(cells, { ...pace, times: 1, giveUpAfterMs: GIVE_UP_AFTER_MS });
}, MAX_RUN_MS);

afterAll(() => printTable('Faults that happen once', seen.results));

describe('a fault that happens once at a call of a booking', () => {
  it('ends as stated, with one booking, one file and at most one print', () => {
    expect(differences(seen.results)).toEqual([]);
    expect(seen.results).toHaveLength(cells.length);
  });

  it('leads nobody to where a redirect points, but for labels, which are links', () => {
    const links = cells.filter(({ callName, faultName }) => LINKS.includes(callName) && faultName === '302');
    expect(seen.trapped > 0).toBe(links.length > 0);
  });

  it('is told without a secret that a page quotes', () => {
    expect(seen.told).toEqual([]);
  });
});
