import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RandomStreams } from '../../src/sandbox/control/random.js';
import { buildChild } from './build-child.js';
import type { Death } from './child/protocol.js';
import { deathsAt, dieInARow, recordMoments } from './crash.js';
import { type Databases, embeddedDatabases } from './databases.js';

/** Of all moments; the rest is for `npm run test:crash`. Another seed chooses others. */
const SAMPLE = 6;
const SEED = 20_261;
/** Error sheets and papers are attached and printed beside labels; reprints have a test of their own. */
const SHEETS_AND_PAPERS = ['attachments NO_LABEL', 'printResource NO_LABEL', 'attachments COMMERCIAL_INVOICE'];
/** Below this the watchers have lost sight of something. */
const FEWEST_MOMENTS = 100;

describe('a service that dies at a chosen moment and is started again', () => {
  let databases: Databases;
  let program: string;

  beforeAll(async () => {
    program = await buildChild();
    databases = await embeddedDatabases();
  });
  afterAll(async () => databases?.close());

  it('keeps every promise, for a sample of the moments', async () => {
    const moments = await recordMoments(program, databases);
    const all = deathsAt(moments);
    const random = new RandomStreams(SEED);
    const deaths = Array.from({ length: SAMPLE }, () => all[Math.floor(random.next('sample') * all.length)]).flatMap(
      (death) => death ?? [],
    );
    const others = SHEETS_AND_PAPERS.map((what) => momentOf(all, `${what} | sent, answer not read`));
    const { wrong, missed } = await dieInARow(program, databases, { deaths: [...deaths, ...others] });

    process.stdout.write(`${moments.size} moments found, ${deaths.length + others.length - missed.length} died at\n`);
    expect(wrong).toEqual([]);
    expect(moments.size).toBeGreaterThan(FEWEST_MOMENTS);
    expect(missed.length).toBeLessThan(SAMPLE / 2);
    expect(missed.filter((death) => others.includes(death))).toEqual([]);
  });
});

/** The first time that the moment comes. */
function momentOf(all: readonly Death[], ending: string): Death {
  const found = all.find(({ moment, pass }) => pass === 1 && moment.endsWith(ending));
  if (!found) throw new Error(`nothing ${ending}`);
  return found;
}
