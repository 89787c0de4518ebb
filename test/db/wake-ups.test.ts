import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/db/database.js';
import { openEmbedded } from '../../src/db/embedded.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { type WakeUps, startWakeUps } from '../../src/queue/wake-ups.js';
import { describeOnServer } from './postgres-server.js';

const BACKLOG = 2_000;
const DRAINED_WITHIN_MS = 5_000;
/** Measured 5 to 30 ms; the next poll would only come after 500. */
const AT_ONCE_MS = 450;

function describeWakeUps(name: string, open: () => Promise<Database>): void {
  describe(`wake-ups in ${name}`, () => {
    let database: Database;
    let wakeUps: WakeUps;
    const woken = new Map<string, number>();

    beforeAll(async () => {
      database = await open();
      wakeUps = await startWakeUps(database, (ids) => ids.forEach((id) => woken.set(id, Date.now())), silentLog);
    }, 60_000);
    afterAll(async () => {
      await wakeUps?.stop();
      await database?.close();
    });

    async function arrived(ids: readonly string[], withinMs: number): Promise<number> {
      const begin = Date.now();
      while (!ids.every((id) => woken.has(id))) {
        if (Date.now() - begin > withinMs) throw new Error(`only ${ids.filter((id) => woken.has(id)).length} arrived`);
        await new Promise((done) => setTimeout(done, 5));
      }
      return Date.now() - begin;
    }

    it('arrive at once when they are asked for', async () => {
      const id = randomUUID();
      await database.transaction((sql) => wakeUps.send(sql, [id]));
      wakeUps.deliverNow();
      expect(await arrived([id], 5_000)).toBeLessThan(AT_ONCE_MS);
    });

    it('arrive by themselves when nobody asks', async () => {
      const id = randomUUID();
      await database.transaction((sql) => wakeUps.send(sql, [id]));
      await arrived([id], 5_000);
    });

    it('are sent with the transaction, never before it has ended and never without it', async () => {
      const [kept, lost] = [randomUUID(), randomUUID()];
      const attempt = database.transaction(async (sql) => {
        await wakeUps.send(sql, [lost]);
        throw new Error('rolled back');
      });
      await expect(attempt).rejects.toThrow('rolled back');
      let committed = 0;
      await database.transaction(async (sql) => {
        await wakeUps.send(sql, [kept]);
        wakeUps.deliverNow();
        await new Promise((done) => setTimeout(done, 50));
        committed = Date.now();
      });
      wakeUps.deliverNow();
      await arrived([kept], 5_000);
      expect(woken.get(kept)).toBeGreaterThanOrEqual(committed);
      expect(woken.has(lost)).toBe(false);
    });

    it('of a long backlog all arrive within seconds', async () => {
      const ids = Array.from({ length: BACKLOG }, () => randomUUID());
      await wakeUps.send(database, ids);
      wakeUps.deliverNow();
      expect(await arrived(ids, 30_000)).toBeLessThan(DRAINED_WITHIN_MS);
    }, 40_000);

    it('may be none', async () => {
      await expect(wakeUps.send(database, [])).resolves.toBeUndefined();
    });
  });
}

describeWakeUps('the embedded database', () => openEmbedded(null));

describeOnServer('wake-ups', (url) => describeWakeUps('a Postgres server', async () => openPostgres(url(), silentLog)));
