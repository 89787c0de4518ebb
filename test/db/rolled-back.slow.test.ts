import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database, DatabaseUnavailable, type Sql } from '../../src/db/database.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { describeOnServer } from './postgres-server.js';

/** Resolves when it was called this many times. */
function gate(times: number): () => Promise<void> {
  let open = () => {};
  const isOpen = new Promise<void>((done) => (open = done));
  let called = 0;
  return async () => {
    called += 1;
    if (called >= times) open();
    await isOpen;
  };
}

describeOnServer('work that the server rolls back because of another one', (url) => {
  let database: Database;
  const add = (sql: Sql, id: string) => sql.query('update counter set value = value + 1 where id = $1', [id]);
  const values = () => database.query('select id, value from counter order by id');

  beforeAll(async () => {
    database = openPostgres(url(), silentLog);
    await database.script(`
      create table counter (id text primary key, value int not null);
      create function fail_first() returns trigger language plpgsql as $$ begin
        if nextval('failures') <= tg_argv[0]::int then raise exception 'could not serialize' using errcode = '40001'; end if;
        return new;
      end $$;
      create sequence failures;`);
  });
  afterAll(() => database.close());

  /** The first writes to the table fail as where two transactions have changed the same row. */
  const failing = (times: number) =>
    database.script(`
      truncate counter; insert into counter values ('a', 0), ('b', 0); alter sequence failures restart;
      drop trigger if exists fails on counter;
      create trigger fails before update on counter for each row execute function fail_first(${times})`);

  it('is done again where two transactions wait for each other, so that both are stored', async () => {
    await failing(0);
    const both = gate(2);
    const inOrder = (first: string, second: string) =>
      database.transaction(async (sql) => {
        await add(sql, first);
        await both();
        await add(sql, second);
      });
    await Promise.all([inOrder('a', 'b'), inOrder('b', 'a')]);
    expect(await values()).toEqual([
      { id: 'a', value: 2 },
      { id: 'b', value: 2 },
    ]);
  });

  it.each([
    ['a statement', () => add(database, 'a')],
    ['a transaction', () => database.transaction((sql) => add(sql, 'a'))],
  ])('is done again: %s', async (_what, write) => {
    await failing(2);
    await write();
    expect(await values()).toContainEqual({ id: 'a', value: 1 });
  });

  it.each([
    ['a statement', () => add(database, 'a')],
    ['a transaction', () => database.transaction((sql) => add(sql, 'a'))],
  ])('fails as a database that is not available where it is always rolled back: %s', async (_what, write) => {
    await failing(1_000_000);
    await expect(write()).rejects.toThrow(DatabaseUnavailable);
    expect(await values()).toContainEqual({ id: 'a', value: 0 });
    const [row] = await database.query<{ tried: string }>('select last_value as tried from failures');
    expect(Number(row?.tried)).toBeLessThan(20);
  });
});
