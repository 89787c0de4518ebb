import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dueConsignments, giveBackLeases, takeWaiting } from '../../src/consignment/ledger/due-rows.js';
import { dueTasks } from '../../src/tasks/task-rows.js';
import type { Database } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { describeOnServer } from '../db/postgres-server.js';
import { NOON } from '../support/consignments.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

/** Ids of what is due. */
const dueIds = async (...search: Parameters<typeof dueConsignments>) =>
  (await dueConsignments(...search)).map(({ id }) => id);
const AGO = (seconds: number) => new Date(NOON.getTime() - seconds * 1_000);
const LATER = new Date(NOON.getTime() + 60_000);

describeSearch('the embedded database', () => openEmptyDatabase());
describeOnServer('the search', (url) =>
  describeSearch('a Postgres server', async () => openPostgres(url(), silentLog)),
);

function describeSearch(where: string, open: () => Promise<Database>): void {
  describe(`the search for what is due in ${where}`, () => {
    let database: Database;

    beforeAll(async () => {
      database = await open();
      await migrate(database);
    });

    afterAll(async () => database.close());

    beforeEach(async () => {
      await database.query('delete from consignment');
      await database.query('delete from task');
    });

    /** Rows `<account>-1`, `<account>-2`, …; the first is due the longest. */
    async function rows(
      account: string,
      count: number,
      changes: { dueAt?: Date; parkedUntil?: Date; area?: string } = {},
    ) {
      const plan = changes.parkedUntil ? { heldUntil: changes.parkedUntil.toISOString() } : {};
      await database.query(
        `insert into consignment (id, area, booked_on, document_id, event_id, state, account, plan, run_started_at, due_at,
                                  created_at, updated_at)
         select $1 || '-' || n, $2, 'transport-booking', $1 || '-' || n, 'e', 'planned', $1, $3::jsonb, $4,
                $5::timestamptz + n * interval '1 millisecond', $4, $4
           from generate_series(1, $6::int) n`,
        [account, changes.area ?? '1', JSON.stringify(plan), AGO(600), changes.dueAt ?? AGO(60), count],
      );
    }

    it('finds the bookings of every account, however many another one has', async () => {
      await rows('hanging', 2_000, { dueAt: AGO(300) });
      await rows('healthy', 3, { dueAt: AGO(1) });
      await rows('abroad', 1, { dueAt: AGO(1), area: '2' });
      const found = await dueIds(database, { now: NOON, limit: 200 });
      expect(found).toHaveLength(200);
      expect(found).toEqual(expect.arrayContaining(['healthy-1', 'healthy-2', 'healthy-3', 'abroad-1', 'hanging-1']));
    });

    it('lets the longest waiting of an account go first', async () => {
      await rows('gls', 5);
      expect(await dueIds(database, { now: NOON, limit: 3 })).toEqual(['gls-1', 'gls-2', 'gls-3']);
    });

    it('leaves what is held for a carrier that does not answer, until its time is over', async () => {
      await rows('gls', 3, { parkedUntil: LATER });
      await rows('dao', 1, { parkedUntil: LATER });
      const search = { now: NOON, limit: 200, open: ['gls'] };
      expect(await dueIds(database, search)).toEqual(['dao-1']);
      expect(await dueIds(database, { ...search, now: new Date(LATER.getTime() + 1) })).toHaveLength(4);
    });

    it('finds one booking to try a carrier that may answer again', async () => {
      await rows('gls', 3, { parkedUntil: LATER });
      expect(await dueIds(database, { now: NOON, limit: 200, halfOpen: ['gls'] })).toEqual(['gls-1']);
    });

    it('finds what is cancelled while its carrier does not answer', async () => {
      await rows('gls', 1, { parkedUntil: LATER });
      await database.query(`update consignment set cancel_wanted = '{}'`);
      expect(await dueIds(database, { now: NOON, limit: 200, open: ['gls'] })).toEqual(['gls-1']);
    });

    it('finds the tasks of every area, however many another one has', async () => {
      await database.query(
        `insert into task (id, kind, area, state, due_at, created_at)
         select area || '-' || n, 'choose-carrier', area, 'open', $1, $1
           from (values ('1', 1000), ('2', 1)) areas (area, tasks), generate_series(1, tasks) n`,
        [AGO(60)],
      );
      expect(await dueTasks(database, NOON, 200)).toContain('2-1');
    });

    it('has so many workers told at once that the others can still work, each of them once', async () => {
      await rows('gls', 40);
      const search = { now: NOON, since: AGO(15), areas: ['1'], limit: 15 };
      const told = [];
      for (let sweeps = 0; sweeps < 4; sweeps += 1) told.push(await takeWaiting(database, search));
      expect(told.map((rowsTold) => rowsTold.length)).toEqual([15, 15, 10, 0]);
      expect(new Set(told.flat().map(({ id }) => id)).size).toBe(40);
    });

    it('has the workers of an area told, however many wait in one that is not configured any more', async () => {
      await rows('gone', 40, { area: '9' });
      await rows('gls', 2);
      const told = await takeWaiting(database, { now: NOON, since: AGO(15), areas: ['1'], limit: 15 });
      expect(told.map(({ id }) => id).sort()).toEqual(['gls-1', 'gls-2']);
    });

    it('gives back what a stopped instance leaves, but for what may still leave', async () => {
      await rows('gls', 4);
      await database.query(`update consignment set lease_owner = 'us', lease_until = $1 where id <> 'gls-4'`, [LATER]);
      await database.query(`update consignment set lease_owner = 'them', lease_until = $1 where id = 'gls-4'`, [LATER]);
      await database.query(`update consignment set parts = '[{ "state": "sending" }]' where id = 'gls-2'`);
      await database.query(`update consignment set effects = '[{ "state": "sent" }]' where id = 'gls-3'`);
      await giveBackLeases(database, 'us');
      expect(await dueIds(database, { now: NOON, limit: 200 })).toEqual(['gls-1']);
    });
  });
}
