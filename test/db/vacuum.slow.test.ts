import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openEmbedded } from '../../src/db/embedded.js';
import { placeEmptyDatabase } from '../service/prepared-database.js';

const ROWS = 200;
const LONGEST_MS = 150_000;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-vacuum-'));
  await placeEmptyDatabase(folder);
}, 60_000);
afterEach(() => rm(folder, { recursive: true, force: true }));

it(
  'is vacuumed while it works, so that changes of the same rows do not make a table larger for ever',
  async () => {
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
      /** Changes every row, again and again, until it was vacuumed so often. @returns its size then */
      const workUntil = async (times: number) => {
        const end = Date.now() + LONGEST_MS / 2;
        for (let round = 0; (await look()).times < times; round += 1) {
          if (Date.now() > end) throw new Error(`vacuumed ${(await look()).times} times in ${round} rounds`);
          for (let n = 0; n < ROWS; n += 1)
            await database.query('update worked set state = $2, body = $3 where n = $1', [
              n,
              `${round}`,
              'y'.repeat(1_500 + (round % 7)),
            ]);
        }
        return (await look()).bytes;
      };
      await workUntil(1);
      const size = await workUntil(2);
      await database.script('vacuum full worked');
      expect(size).toBeLessThan(4 * (await look()).bytes);
      process.stdout.write(`a table at work: ${size} bytes, ${(await look()).bytes} at the least\n`);
    } finally {
      await database.close();
    }
  },
  LONGEST_MS + 60_000,
);
