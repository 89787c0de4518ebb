import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { placeEmptyDatabase } from '../support/prepared-database.js';
import { until } from '../support/until.js';
import { endUpkeepPause, holdUpkeepPauses } from './embedded/upkeep-pauses.js';

const ROUNDS = 6;
const ROWS_A_ROUND = 20_000;
const SEGMENT_MB = 16;
/** What Postgres keeps for what comes next, and what one round writes. */
const MAX_SEGMENTS = 7;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-checkpoint-'));
  await placeEmptyDatabase(folder);
  holdUpkeepPauses();
});
afterEach(async () => {
  jest.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

async function segments(): Promise<number> {
  const names = await readdir(join(folder, 'postgres', 'pg_wal'));
  return names.filter((name) => /^[0-9A-F]{24}$/.test(name)).length;
}

it('comes to a checkpoint by itself, so that the log of the embedded database does not grow for ever', async () => {
  const database = await openEmbedded(folder);
  try {
    await database.script('create table written (n int, body text)');
    const look = async () => {
      const [row] = await database.query<{ readonly bytes: number; readonly since: number }>(
        `select (pg_current_wal_lsn() - '0/0')::float8 as bytes, (pg_current_wal_lsn() - redo_lsn)::float8 as since
         from pg_control_checkpoint()`,
      );
      return row ?? { bytes: 0, since: 0 };
    };
    const before = (await look()).bytes;
    for (let round = 0; round < ROUNDS; round += 1) {
      await database.script(
        `insert into written select n, repeat(md5(n::text), 32) from generate_series(1, ${ROWS_A_ROUND}) n; delete from written`,
      );
      await until('there was a checkpoint', async () => {
        endUpkeepPause();
        return (await look()).since < SEGMENT_MB * 1_000_000;
      });
    }
    const writtenMb = ((await look()).bytes - before) / 1_000_000;
    expect(writtenMb).toBeGreaterThan(MAX_SEGMENTS * SEGMENT_MB);
    expect(await segments()).toBeLessThanOrEqual(MAX_SEGMENTS);
  } finally {
    await database.close();
  }
});
