import { expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../src/db/database.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
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
      expect(await idle.query(add)).toEqual([{ value: 2 }]);
    } finally {
      await idle.close();
      await other.close();
    }
  });
});
