import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../src/db/database.js';
import { until } from '../../support/harness.js';
import { openEmptyDatabase } from '../../support/prepared-database.js';

const INSERT = 'insert into thing (id, what, at, bytes) values ($1, $2::jsonb, $3, $4) returning *';
const THING = { id: 1, what: { said: 'œ "quoted"' }, at: new Date('2026-01-14T12:00:00.250Z') };

describe('a statement that the embedded database has seen before', () => {
  let database: Database;

  beforeEach(async () => {
    database = await openEmptyDatabase();
    await database.script('create table thing (id int primary key, what jsonb, at timestamptz, bytes bytea)');
  });
  afterEach(() => database.close());

  const insert = (id: number) =>
    database.query(INSERT, [id, JSON.stringify(THING.what), THING.at, new Uint8Array([0, 255, 92])]);

  it('answers as it did the first time, with the values of this time', async () => {
    for (const id of [1, 2, 3, 4, 5, 6, 7])
      expect(await insert(id)).toEqual([{ ...THING, id, bytes: new Uint8Array([0, 255, 92]) }]);
    expect(await database.query(INSERT, [8, null, null, null])).toEqual([{ id: 8, what: null, at: null, bytes: null }]);
    expect(await database.query('select id from thing where id = any($1::int[]) order by id', [[8, 2]])).toEqual([
      { id: 2 },
      { id: 8 },
    ]);
  });

  it('is not read again', async () => {
    for (const id of [1, 2, 3]) await insert(id);
    const known = await database.query(
      'select generic_plans + custom_plans as uses from pg_prepared_statements where statement = $1',
      [INSERT],
    );
    expect(known).toEqual([{ uses: 3 }]);
  });

  it('works again after it has failed, and so does every other', async () => {
    await insert(1);
    await expect(insert(1)).rejects.toMatchObject({ code: '23505' });
    await expect(database.query('select nonsense')).rejects.toMatchObject({ code: '42703' });
    await expect(database.query('select $1::int as n', ['no number'])).rejects.toMatchObject({ code: '22P02' });
    expect(await database.query('select $1::int as n', [7])).toEqual([{ n: 7 }]);
    expect(await insert(2)).toHaveLength(1);
  });

  it('is refused with a value that has no text, and the next one is as ever', async () => {
    await expect(database.query('select $1::jsonb as n', [() => 1])).rejects.toMatchObject({ code: '22P02' });
    expect(await insert(1)).toHaveLength(1);
    await expect(database.query('select $1::int[] as n', [5])).rejects.toMatchObject({ code: '22P02' });
    expect(await database.query('select $1::int as n', [7])).toEqual([{ n: 7 }]);
  });

  it('keeps the whole text where a half of a surrogate pair is in it, as a server does', async () => {
    expect(await database.query('select $1::text as said', ['é\udc00é\udc00é\udc00abc'])).toEqual([
      { said: 'é\ufffdé\ufffdé\ufffdabc' },
    ]);
  });

  it('is not answered as one that ran when it did not run', async () => {
    const outcomes = await Promise.allSettled([
      insert(1),
      insert(2),
      database.query('-- nothing to run'),
      database.query('select 3 as n'),
    ]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: [{ id: 1 }] },
      { status: 'fulfilled', value: [{ id: 2 }] },
      { status: 'rejected', reason: { message: expect.stringContaining('has not run') } },
      { status: 'fulfilled', value: [{ n: 3 }] },
    ]);
  });

  it('may come twice at once for the first time within one transaction', async () => {
    const rows = await database.transaction((sql) =>
      Promise.all([sql.query('select $1::int as n', [1]), sql.query('select $1::text as n', ['2'])]),
    );
    expect(rows).toEqual([[{ n: 1 }], [{ n: '2' }]]);
  });

  it('is lost with its transaction when that fails, and known all the same', async () => {
    const failing = database.transaction(async (sql) => {
      await sql.query('insert into thing (id) values ($1)', [1]);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await database.query('insert into thing (id) values ($1)', [1]);
    expect(await database.query('select id from thing')).toEqual([{ id: 1 }]);
  });

  it('is refused through the handle of a transaction that has ended', async () => {
    const handle = await database.transaction(async (sql) => sql);
    await expect(handle.query('select 1')).rejects.toThrow('ended');
  });
});

const BY_WORD = 'select id from grown where word = $1';

it('is planned anew when a table of it has grown, and no sooner', async () => {
  const database = await openEmptyDatabase();
  const plan = async () => {
    const [known] = await database.query<{ readonly name: string }>(
      'select name from pg_prepared_statements where statement = $1',
      [BY_WORD],
    );
    // A text of its own each time: it must not be planned in advance itself.
    const rows = await database.query<Readonly<Record<string, string>>>(`explain execute ${known?.name}('a')`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  try {
    await database.script(
      'create table grown (id int primary key, word text, body text); create index on grown (word)',
    );
    await database.script('analyze grown');
    // From the sixth time on there is one plan for all values.
    for (let times = 0; times < 7; times += 1) await database.query(BY_WORD, ['a']);
    const before = await plan();
    await database.query("insert into grown select n, 'w' || n, repeat('x', 500) from generate_series(1, 20000) n");
    expect(await plan()).toBe(before);
    await until('the statement is planned anew', async () => (await plan()) !== before);
    expect(await plan()).toContain('Index');
  } finally {
    await database.close();
  }
});
