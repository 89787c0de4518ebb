import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { openEmbedded } from '../../../src/db/embedded/embedded.js';
import { placeEmptyDatabase } from '../../support/prepared-database.js';
import { until } from '../../support/until.js';
import { endUpkeepPause, holdUpkeepPauses } from './upkeep-pauses.js';

const ROWS = 200;
/** More dead rows a pass than are worth a vacuum. */
const ROUNDS = 10;
const PASSES = 4;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-vacuum-'));
  await placeEmptyDatabase(folder);
  holdUpkeepPauses();
});
afterEach(async () => {
  jest.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

it('is vacuumed while it works, so that changes of the same rows do not make a table larger for ever', async () => {
  const database = await openEmbedded(folder);
  try {
    await database.script(
      'create table worked (n int primary key, state text, body text); create index on worked (state)',
    );
    for (let n = 0; n < ROWS; n += 1)
      await database.query('insert into worked values ($1, $2, $3)', [n, 'new', 'x'.repeat(1_500)]);
    const look = async () => {
      const [row] = await database.query<{ readonly times: number; readonly bytes: number }>(
        `select vacuum_count::int as times, pg_total_relation_size(relid)::int as bytes from pg_stat_user_tables where relname = 'worked'`,
      );
      return row ?? { times: 0, bytes: 0 };
    };
    /** Changes every row so often, then waits until it has been vacuumed. @returns its size then */
    const workUntilVacuumed = async () => {
      const before = (await look()).times;
      for (let round = 0; round < ROUNDS; round += 1)
        for (let n = 0; n < ROWS; n += 1)
          await database.query('update worked set state = $2, body = $3 where n = $1', [
            n,
            `${before}-${round}`,
            'y'.repeat(1_500 + (round % 7)),
          ]);
      await until('the table has been vacuumed', async () => {
        endUpkeepPause();
        return (await look()).times > before;
      });
      return (await look()).bytes;
    };
    const sizes: number[] = [];
    for (let pass = 0; pass < PASSES; pass += 1) sizes.push(await workUntilVacuumed());
    process.stdout.write(`a table at work: ${sizes.join(', ')} bytes after each vacuum\n`);
    expect(Math.max(...sizes)).toBeLessThan(1.5 * (sizes[0] ?? 0));
  } finally {
    await database.close();
  }
});
