import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database, DatabaseUnavailable } from '../../src/db/database.js';
import { deadLetters } from '../../src/dead-letters/dead-letters.js';
import { startRetention } from '../../src/retention/retention.js';
import { keepLog } from '../support/log-lines.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { HandClock } from '../tracking/tracking-stage.js';

const DAY_MS = 24 * 3_600_000;
const DAYS = { addresses: 1, labels: 1, bodies: 1, history: 1, events: 1, callbacks: 1, audit: 1, references: 1 };

let database: Database;

beforeAll(async () => {
  database = await openEmptyDatabase();
});
afterAll(() => database.close());

/** The database, with a statement that fails. */
function failingAt(part: string): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction((sql) =>
        work({
          ...sql,
          query: (text, values) =>
            text.includes(part) ? Promise.reject(new Error('no key opens this')) : sql.query(text, values),
        }),
      ),
  };
}

it('deletes everything else where a step fails, and says which one failed', async () => {
  const clock = new HandClock();
  const { log, lines } = keepLog();
  await database.query(`insert into event (event_id, outcome, body, received_at) values ('e-1', 'ignored', 'x', $1)`, [
    clock.now(),
  ]);
  clock.forward(2 * DAY_MS);
  const retention = startRetention({
    ...{ database: failingAt('anonymised_at is null'), clock, log, owner: 'one', days: DAYS },
    deleted: () => undefined,
  });
  expect(await retention.round()).toEqual({ bodies: 1, events: 1 });
  expect(await database.query('select event_id from event')).toEqual([]);
  expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([
    { event: 'background step failed', fields: { work: 'delete old data', step: 'addresses' } },
  ]);
  await retention.stop(1_000);
});

it('keeps the task of a manifest for as long as a step of it has failed, so that it can be tried again', async () => {
  const clock = new HandClock();
  const { log } = keepLog();
  for (const [document, attachment] of [
    ['700', 'refused'],
    ['701', 'done'],
  ]) {
    await database.query(
      `insert into task (id, kind, area, document_id, state, created_at) values ($1, 'hand-over', '1', $1, 'done', $2)`,
      [document, clock.now()],
    );
    await database.query(
      `insert into handover (area, document_id, account, list, close_out, attachment, created_at)
       values ('1', $1, 'gls', '{"consignments":[]}', 'not-offered', $2, $3)`,
      [document, attachment, clock.now()],
    );
  }
  clock.forward(2 * DAY_MS);
  const retention = startRetention({
    ...{ database, clock, log, owner: 'one', days: { ...DAYS, history: 400 } },
    deleted: () => undefined,
  });
  await retention.round();
  await retention.stop(1_000);
  const letters = deadLetters({ database, clock });
  const filter = { kinds: null, areas: null, accounts: null, since: null, until: null, q: null };
  expect(await letters.retryAll(filter, 'do')).toEqual({ retried: 1, more: false });
  expect(await database.query('select id, state from task')).toEqual([{ id: '700', state: 'open' }]);
  await database.script('truncate task, handover');
});

it('deletes the memory of what was told of single shipments, and keeps what is told once in an area', async () => {
  const clock = new HandClock();
  const { log } = keepLog();
  const topics = ['told 5a1f', 'status-refused:c-1:1', 'not-allowed:5a1f', 'instructions:5a1f', 'telling told 5a1f'];
  const remembered = (topic: string, at: Date) =>
    database.query('insert into sent_message (area, topic, told_at) values ($1, $2, $3)', ['1', topic, at]);
  for (const topic of topics) await remembered(topic, clock.now());
  clock.forward(2 * DAY_MS);
  await remembered('told 77aa', clock.now());
  const retention = startRetention({
    ...{ database, clock, log, owner: 'one', days: DAYS },
    deleted: () => undefined,
  });
  expect(await retention.round()).toEqual({ 'sent-messages': 3 });
  const left = await database.query<{ topic: string }>('select topic from sent_message order by topic');
  expect(left.map(({ topic }) => topic)).toEqual(['instructions:5a1f', 'not-allowed:5a1f', 'told 77aa']);
  await retention.stop(1_000);
});

it('tells in one line that the database was away during all steps', async () => {
  const { log, lines } = keepLog();
  const away: Database = { ...database, transaction: () => Promise.reject(new DatabaseUnavailable('no connection')) };
  const retention = startRetention({
    ...{ database: away, clock: new HandClock(), log, owner: 'one', days: DAYS },
    deleted: () => undefined,
  });
  expect(await retention.round()).toEqual({});
  expect(lines).toMatchObject([
    {
      ...{ level: 'warn', event: 'background step failed' },
      fields: { work: 'delete old data', step: expect.stringMatching(/^consignments, addresses, .*past-references$/) },
    },
  ]);
  await retention.stop(1_000);
});
