import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../../src/sandbox/control/random.js';
import { buildChild } from './build-child.js';
import { deathsAt, dieInARow, recordMoments } from './crash.js';
import { type Databases, embeddedDatabases } from './databases.js';

/** Of all moments; the rest is for `npm run test:crash`. Another seed chooses others. */
const SAMPLE = 6;
const SEED = 20_261;
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
    const random = new Random(SEED);
    const deaths = Array.from({ length: SAMPLE }, () => all[Math.floor(random.next('sample') * all.length)]).flatMap(
      (death) => death ?? [],
    );
    const { wrong, missed } = await dieInARow(program, databases, { deaths });

    process.stdout.write(`${moments.size} moments found, ${deaths.length - missed.length} died at\n`);
    expect(wrong).toEqual([]);
    expect(moments.size).toBeGreaterThan(FEWEST_MOMENTS);
    expect(missed.length).toBeLessThan(SAMPLE / 2);
  }, 180_000);
});
