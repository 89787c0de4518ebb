import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cellsOf } from './cell.js';
import { runMatrix } from './matrix.js';
import type { MatrixSeen } from './matrix.js';
import { lasting } from './outcomes.js';
import { askedFor, differences, isWhole, printTable } from './report.js';

/** Longer than a call of the IMS takes that is answered at once, with all its tries. */
const GIVE_UP_AFTER_MS = 12_000;
/** Beyond the give-up time a document is ON_GOING for as long as three calls of the IMS take at most, 25 s each. */
const MARGIN_MS = 75_000;
const AT_ONCE = 20;
const MAX_RUN_MS = 25 * 60_000;
/** What runs where not all of it does: given up in each way there is. */
const IN_SHORT: readonly string[] = ['load shipment', 'attach', 'message', 'pretend book', 'gls-dk book', 'dao label'];

const all = askedFor(cellsOf(lasting));
const short = all.filter(({ faultName, callName }) => faultName === '429' && IN_SHORT.includes(callName));
const cells = isWhole ? all : short;

let seen: MatrixSeen = { results: [], told: [], trapped: 0 };

beforeAll(async () => {
  const pace = { patienceMs: GIVE_UP_AFTER_MS + MARGIN_MS, atOnce: AT_ONCE };
  seen = await runMatrix(cells, { ...pace, times: 'always', giveUpAfterMs: GIVE_UP_AFTER_MS });
}, MAX_RUN_MS);

afterAll(() => printTable('Faults that never end', seen.results));

describe('a fault that never ends', () => {
  it('ends as stated, and leaves no document ON_GOING beyond its give-up time', () => {
    expect(differences(seen.results)).toEqual([]);
    expect(seen.results).toHaveLength(cells.length);
  });

  it('is told without a secret that a page quotes', () => {
    expect(seen.told).toEqual([]);
  });
});
