import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildChild } from './build-child.js';
import type { Death } from './child/protocol.js';
import { deathsAt, dieInARow, inParallel, isLasting, recordMoments, rowsOf } from './crash.js';
import { type Databases, embeddedDatabases } from './databases.js';
import { otherCarriers, tellOfCarriersIn, tellOfOtherCarriers } from './story.js';

/** `ALL_DEATHS=1` dies at all that are found. */
const ALL = process.env['ALL_DEATHS'] === '1';
const DEATHS_IN_A_ROW = 4;
/** As many as the smallest machine has cores. */
const AT_ONCE = 2;

let databases: Databases;
let program: string;

beforeAll(async () => {
  program = await buildChild();
  databases = await embeddedDatabases();
});
afterAll(async () => databases?.close());

/** The carrier has heard a request for the first time, and its answer is not read. */
function sampleOf(deaths: readonly Death[]): readonly Death[] {
  return ALL ? deaths : deaths.filter(({ moment, pass }) => pass === 1 && /not read/.test(moment));
}

describe('a service that dies while it is at a carrier', () => {
  it('books nothing twice and loses nothing, with each carrier', async () => {
    const moments = await recordMoments(program, databases, tellOfOtherCarriers);
    const found = deathsAt(moments).filter((death) => death.moment.includes('/carriers/') && isLasting(death));
    process.stdout.write(
      `${found.length} moments at carriers:\n  ${found.map(({ moment, pass }) => `${moment}, pass ${pass}`).join('\n  ')}\n`,
    );
    const deaths = sampleOf(found);
    expect(deaths.length).toBeGreaterThanOrEqual(otherCarriers.length);
    const ends = await inParallel(rowsOf(deaths, DEATHS_IN_A_ROW), AT_ONCE, (row) =>
      dieInARow(program, databases, { deaths: row, tell: tellOfCarriersIn(row) }),
    );
    expect(ends.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(ends.flatMap(({ missed }) => missed)).toEqual([]);
  });
});
