import { PGlite, types } from '@electric-sql/pglite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../src/db/database.js';
import { withGroupCommit } from '../../../src/db/embedded/group-commit.js';
import { preparedStatements } from '../../../src/db/embedded/prepared-statements.js';
import { openEmptyDatabase } from '../../support/prepared-database.js';

let database: Database;

beforeEach(async () => {
  database = await openEmptyDatabase();
  await database.script('create table thing (id int primary key, made_in xid8 not null default pg_current_xact_id())');
});

afterEach(() => database.close());

const insert = (id: number) => database.query<{ id: number }>('insert into thing (id) values ($1) returning id', [id]);
const count = async (what: string) =>
  (await database.query<{ n: number }>(`select ${what}::int as n from thing`))[0]?.n;

describe('statements that come at the same time, in the embedded database', () => {
  it('share a commit, and each gets its own rows', async () => {
    const rows = await Promise.all(Array.from({ length: 20 }, (_none, id) => insert(id)));

    expect(rows).toEqual(Array.from({ length: 20 }, (_none, id) => [{ id }]));
    // The first one was at work alone when the others came.
    expect(await count('count(distinct made_in)')).toBe(2);
  });

  it('share it with what is asked because of something else that arrived meanwhile', async () => {
    const turn = () => new Promise((done) => setImmediate(done));
    const arriving = (id: number) => turn().then(() => insert(id));
    const arrivingInParts = (id: number) =>
      turn()
        .then(turn)
        .then(() => insert(id));
    await Promise.all([insert(0), insert(1), arriving(2), arriving(3), arrivingInParts(4)]);

    expect(await count('count(distinct made_in)')).toBe(2);
  });

  it('are at most so many in one commit that the first one need not wait long', async () => {
    const large = 'x'.repeat(400_000);
    await database.script('alter table thing add column what text');
    const insertLarge = (id: number) => database.query('insert into thing (id, what) values ($1, $2)', [id, large]);
    await Promise.all([insert(0), ...[1, 2, 3, 4, 5, 6].map(insertLarge)]);
    expect(await count('count(distinct made_in)')).toBe(3);

    await Promise.all(Array.from({ length: 101 }, (_none, n) => insert(10 + n)));
    expect(await count('count(distinct made_in)')).toBe(6);
  });

  it('do not hurt each other: the one that fails is told so, and the others are stored', async () => {
    const outcomes = await Promise.allSettled([insert(1), insert(2), insert(2), insert(3)]);

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: { code: '23505' } });
    expect(await count('count(*)')).toBe(3);
  });

  it('wait for a transaction that is under way, and see what it stored', async () => {
    const stored = database.transaction(async (sql) => {
      await sql.query('insert into thing (id) values (1)');
      await sql.query('insert into thing (id) values (2)');
    });
    const seen = await Promise.all([count('count(*)'), count('count(*)')]);
    await stored;

    expect(seen).toEqual([2, 2]);
  });

  it('are refused when the database is closed', async () => {
    const closed = await openEmptyDatabase();
    await closed.close();

    const outcomes = await Promise.allSettled([
      closed.query('select 1'),
      closed.query('select 2'),
      closed.query('select 3'),
    ]);

    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('are stored when they came before it is closed', async () => {
    const closing = await openEmptyDatabase();
    const asked = Promise.allSettled([1, 2, 3].map((n) => closing.query('select $1::int as n', [n])));
    await closing.close();

    expect(await asked).toEqual([1, 2, 3].map((n) => ({ status: 'fulfilled', value: [{ n }] })));
  });

  it('are refused when they come while it is being closed; a transaction that came before its end is stored', async () => {
    const closing = await openEmptyDatabase();
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const transaction = (n: number) =>
      closing.transaction(async (sql) => {
        await ended;
        return sql.query('select $1::int as n', [n]);
      });
    const before = transaction(1);
    const closed = closing.close();
    await new Promise((done) => setImmediate(done));
    const meanwhile = transaction(2);
    const late = Promise.allSettled([3, 4, 5].map((n) => closing.query('select $1::int as n', [n])));
    end();

    expect((await late).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await Promise.all([before, meanwhile])).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    await closed;
  });
});

it('no statement runs twice when its rows cannot be read after the commit', async () => {
  const unreadable = () => {
    throw new Error('unreadable');
  };
  const pglite = await PGlite.create({ parsers: { [types.INT4]: unreadable } });
  try {
    await pglite.exec('create table thing (id int)');
    const query = withGroupCommit(preparedStatements(pglite));
    const inserts = [1, 2, 3].map((id) => query(`insert into thing (id) values (${id}) returning id`));
    const outcomes = await Promise.allSettled([...inserts, query('select 1::int8 as n')]);

    const failed = { status: 'rejected', reason: expect.objectContaining({ message: 'unreadable' }) };
    expect(outcomes).toEqual([failed, failed, failed, { status: 'fulfilled', value: [{ n: 1 }] }]);
    expect(await query('select count(*)::int8 as n from thing')).toEqual([{ n: 3 }]);
  } finally {
    await pglite.close();
  }
});
