import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { keepInOrder } from '../../src/db/embedded/upkeep.js';
import { keepLog } from '../support/log-lines.js';

/** A little longer than it pauses between two passes. */
const NEXT_PASS_MS = 11_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A database with a long log and one table with many dead rows, of which statements that contain `fails` end with an error. */
function databaseWhere(fails: string) {
  const done: string[] = [];
  const say = (text: string) => {
    done.push(text);
    if (text.includes(fails)) throw new Error(`cannot: ${fails}`);
  };
  return {
    done,
    query: async <Row>(text: string) => {
      say(text);
      return [{ since: 1e9, name: 'consignment' }] as unknown as readonly Row[];
    },
    script: async (text: string) => say(text),
  };
}

it.each([
  ['checkpoint that fails', { fails: 'checkpoint', event: 'checkpoint failed', runs: 'vacuum consignment' }],
  [
    'log that cannot be measured',
    { fails: 'pg_current_wal_lsn', event: 'checkpoint failed', runs: 'vacuum consignment' },
  ],
  ['vacuum that fails', { fails: 'vacuum consignment', event: 'vacuum failed', runs: 'checkpoint' }],
  [
    'table that cannot be analysed',
    { fails: 'analyze consignment', event: 'analyse failed', runs: 'vacuum consignment' },
  ],
  ['table that cannot be found', { fails: 'n_dead_tup', event: 'vacuum failed', runs: 'checkpoint' }],
])('a %s is said, keeps nothing else from running, and is tried again', async (_case, { fails, event, runs }) => {
  const database = databaseWhere(fails);
  const { log, lines } = keepLog();
  const stop = keepInOrder({ database, isQuiet: () => true, log });
  await jest.advanceTimersByTimeAsync(NEXT_PASS_MS);
  expect(database.done).toContain(runs);
  expect(lines).toMatchObject([{ level: 'warn', event, fields: { error: new Error(`cannot: ${fails}`) } }]);
  await jest.advanceTimersByTimeAsync(NEXT_PASS_MS);
  expect(database.done.filter((text) => text === runs)).toHaveLength(2);
  await expect(stop()).resolves.toBeUndefined();
});

it('can be stopped while a statement is under way that fails then', async () => {
  const failing: (() => void)[] = [];
  const fails = () => new Promise<never>((_done, fail) => failing.push(() => fail(new Error('cannot'))));
  const stop = keepInOrder({ database: { query: fails, script: fails }, isQuiet: () => true, log: keepLog().log });
  await jest.advanceTimersByTimeAsync(NEXT_PASS_MS);
  const stopped = stop();
  for (let work = 0; work < 3; work += 1) {
    failing.shift()?.();
    await jest.advanceTimersByTimeAsync(1);
  }
  await expect(stopped).resolves.toBeUndefined();
});
