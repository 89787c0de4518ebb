import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeOnServer } from '../db/postgres-server.js';
import { buildChild } from './build-child.js';
import type { Death } from './child/protocol.js';
import { type Aftermath, deathsAt, dieInARow, inParallel, isLasting, recordMoments, rowsOf } from './crash.js';
import { type Databases, embeddedDatabases, serverDatabases } from './databases.js';

const MAX_ROW = 8;
/** Of the deaths that find the world as another one left it, every so-many-th is met; `ALL_DEATHS=1` meets all. */
const QUIET_SHARE = process.env['ALL_DEATHS'] === '1' ? 1 : 8;
/** As many as the smallest machine has cores. */
const AT_ONCE = 2;
/** A moment that depends on who comes first may not come; most must. */
const MAX_MISSED = 0.1;
const WITHIN_MS = 30 * 60_000;

interface Played extends Aftermath {
  readonly deaths: readonly Death[];
}

function dieEverywhere(what: string, open: () => Promise<Databases>): void {
  describe(what, () => {
    let databases: Databases;
    let program: string;

    beforeAll(async () => {
      program = await buildChild();
      databases = await open();
    });
    afterAll(async () => databases?.close());

    it(
      'keeps every promise, wherever and however often it dies',
      async () => {
        const begin = Date.now();
        const moments = await recordMoments(program, databases);
        const deaths = chosenFrom(deathsAt(moments));
        const rows = rowsOf(deaths, MAX_ROW);
        const played = await inParallel(rows, AT_ONCE, async (deaths): Promise<Played> => {
          const aftermath = await dieInARow(program, databases, { deaths });
          return { ...aftermath, deaths };
        });
        process.stdout.write(tableOf(what, { moments, played, ms: Date.now() - begin }));
        expect(played.filter(({ wrong }) => wrong.length > 0).map(({ deaths, wrong }) => ({ deaths, wrong }))).toEqual(
          [],
        );
        const missed = played.flatMap((row) => row.missed).length;
        expect(missed).toBeLessThan(MAX_MISSED * deaths.length);
      },
      WITHIN_MS,
    );
  });
}

function chosenFrom(deaths: readonly Death[]): readonly Death[] {
  const quiet = deaths.filter((death) => !isLasting(death));
  return deaths.filter((death) => isLasting(death) || quiet.indexOf(death) % QUIET_SHARE === 0);
}

interface Tally {
  readonly moments: ReadonlyMap<string, number>;
  readonly played: readonly Played[];
  readonly ms: number;
}

function tableOf(what: string, { moments, played, ms }: Tally): string {
  const missed = played.flatMap((row) => row.missed);
  const deaths = played.flatMap((row) => row.deaths);
  const fate = (moment: string, pass: number) => {
    const is = (death: Death) => death.moment === moment && death.pass === pass;
    return missed.some(is) ? 'missed' : deaths.some(is) ? 'died' : '-';
  };
  const lines = [...moments].map(
    ([moment, passes]) =>
      `${String(passes).padStart(4)}  ${fate(moment, 1).padEnd(6)}  ${fate(moment, 2).padEnd(6)}  ${moment}`,
  );
  const wrong = played.flatMap((row) => row.wrong).length;
  return [
    `\n${what}: ${moments.size} points, ${deathsAt(moments).length} deaths with second passes`,
    'seen  first   second  point',
    ...lines,
    `${deaths.length} deaths of ${deathsAt(moments).length}, ${missed.length} not met, ${played.length} worlds, ${wrong} broken promises, ${Math.round(ms / 1_000)} s\n`,
  ].join('\n');
}

dieEverywhere('with the embedded database', embeddedDatabases);
describeOnServer('dying at every moment', (url) => {
  dieEverywhere('with a server', () => serverDatabases(url()));
});
