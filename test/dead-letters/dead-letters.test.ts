import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '../../src/db/database.js';
import { MAX_RETRIED, deadLetters } from '../../src/dead-letters/dead-letters.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { HandClock } from '../tracking/tracking-stage.js';

const ALL = { kinds: null, areas: null, accounts: null, since: null, until: null, q: null };

let database: Database;
const clock = new HandClock();
const letters = () => deadLetters({ database, clock });

beforeAll(async () => {
  database = await openEmptyDatabase();
});
afterAll(() => database.close());
afterEach(() => database.script('truncate task, callback'));

/** Tasks that were given up at the same moment. */
async function giveUpTasks(ids: readonly string[], { area = '1' } = {}): Promise<void> {
  await database.query(
    `insert into task (id, kind, area, document_id, state, created_at)
     select id, 'choose-carrier', $2, 'd-' || id, 'given-up', $3 from unnest($1::text[]) id`,
    [ids, area, clock.now()],
  );
}

const openTasks = async () =>
  (await database.query<{ id: string }>("select id from task where state = 'open' order by id")).map(({ id }) => id);

it('what was given up is listed newest first, and page by page each once, also of the same moment', async () => {
  await giveUpTasks(['a', 'b', 'c']);
  clock.forward(1_000);
  await giveUpTasks(['new']);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<ReturnType<typeof letters>['list']>> = await letters().list(ALL, {
      ...{ cursor, limit: 2 },
    });
    seen.push(...page.deadLetters.map(({ id }) => id));
    ({ cursor } = page);
  } while (cursor !== null);
  expect(seen).toEqual(['task-new', 'task-c', 'task-b', 'task-a']);
});

it('one that is tried again is due at once, and is no dead letter any more', async () => {
  await giveUpTasks(['a', 'b']);
  expect(await letters().retry('task-a')).toBe(1);
  expect(await database.query("select due_at from task where id = 'a'")).toEqual([{ due_at: clock.now() }]);
  expect(await letters().retry('task-a')).toBe(0);
  expect(await letters().list(ALL, { cursor: null, limit: 10 })).toMatchObject({ deadLetters: [{ id: 'task-b' }] });
});

it.each(['task-none', 'webhook-x', 'callback-9', 'update-1e3', 'manifest-99999999999999999999', 'none-a', 'a'])(
  'the id %s, which no dead letter has, begins nothing',
  async (id) => {
    await giveUpTasks(['a']);
    expect(await letters().retry(id)).toBe(0);
    expect(await openTasks()).toEqual([]);
  },
);

it('those that a filter finds are tried again, and a dry run only counts them', async () => {
  await giveUpTasks(['a', 'b']);
  await giveUpTasks(['c'], { area: '2' });
  await database.query(
    `insert into callback (account, hash, body, state, received_at) values ('gls', 'h', '', 'failed', $1)`,
    [clock.now()],
  );
  const ofArea = { ...ALL, areas: ['1'] };
  expect(await letters().retryAll(ofArea, 'tell')).toEqual({ retried: 2, more: false });
  expect(await openTasks()).toEqual([]);
  expect(await letters().retryAll({ ...ALL, q: 'd-b' }, 'do')).toEqual({ retried: 1, more: false });
  expect(await openTasks()).toEqual(['b']);
  expect(await letters().retryAll(ofArea, 'do')).toEqual({ retried: 1, more: false });
  expect(await openTasks()).toEqual(['a', 'b']);
  expect(await letters().retryAll({ ...ALL, kinds: ['callback'] }, 'do')).toEqual({ retried: 1, more: false });
  expect(await openTasks()).toEqual(['a', 'b']);
});

it('of very many only the newest are tried again in one request, and the answer says that more are left', async () => {
  await giveUpTasks(['oldest']);
  clock.forward(1_000);
  await giveUpTasks(Array.from({ length: MAX_RETRIED }, (_none, n) => `t-${n}`));
  expect(await letters().retryAll(ALL, 'do')).toEqual({ retried: MAX_RETRIED, more: true });
  expect(await openTasks()).not.toContain('oldest');
  expect(await letters().retryAll(ALL, 'do')).toEqual({ retried: 1, more: false });
});
