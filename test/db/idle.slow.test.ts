import { expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseUnavailable } from '../../src/db/database.js';
import { ADVISORY_LOCKS } from '../../src/db/advisory-locks.js';
import { migrateServer } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { until } from '../support/harness.js';
import { describeOnServer } from './postgres-server.js';

const LONGER_THAN_ALLOWED_MS = 7_000;

describeOnServer('a transaction that stands idle', (url) => {
  it('loses its locks and its changes within seconds, and its database goes on', async () => {
    const [idle, other] = [openPostgres(url(), silentLog), openPostgres(url(), silentLog)];
    try {
      await idle.script('create table counter (value int not null); insert into counter values (0);');
      const add = 'update counter set value = value + 1 returning value';
      let locked = () => {};
      const isLocked = new Promise<void>((done) => (locked = done));
      const lost = idle.transaction(async (sql) => {
        await sql.query(add);
        locked();
        await pause(LONGER_THAN_ALLOWED_MS);
        return sql.query(add);
      });
      lost.catch(() => undefined);
      await isLocked;
      expect(await other.query(add)).toEqual([{ value: 1 }]);
      await expect(lost).rejects.toThrow(DatabaseUnavailable);
      await expect(lost).rejects.toThrow('idle-in-transaction timeout');
      expect(await idle.query(add)).toEqual([{ value: 2 }]);
    } finally {
      await idle.close();
      await other.close();
    }
  });
});

/** Nothing else of this process runs meanwhile. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describeOnServer('a process that stands still while it migrates', (url) => {
  it('goes on with the migration', async () => {
    const other = new pg.Client({ connectionString: url() });
    await other.connect();
    try {
      await other.query(`begin; select pg_advisory_xact_lock(${ADVISORY_LOCKS.migrations})`);
      const migrated = migrateServer(url(), silentLog);
      migrated.catch(() => undefined);
      const waiting = "select 1 from pg_locks where locktype = 'advisory' and not granted";
      await until(
        'the migration waits',
        async () => (await other.query(waiting)).rowCount === 1,
        LONGER_THAN_ALLOWED_MS,
      );
      // The lock is free from now on, and the answer waits in the socket.
      const freed = other.query('commit');
      standStill(LONGER_THAN_ALLOWED_MS);
      await freed;
      expect((await migrated).length).toBeGreaterThan(0);
    } finally {
      await other.end();
    }
  });
});
