import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Database, Sql } from '../../../src/db/database.js';
import { keepShare } from '../../../src/ims/limits/instance-share.js';
import { type Heartbeat, writeHeartbeat } from '../../../src/ims/limits/instance-rows.js';
import { ADVISORY_LOCKS } from '../../../src/db/advisory-locks.js';
import { migrate } from '../../../src/db/migrate.js';
import { openPostgres } from '../../../src/db/postgres.js';
import { REQUESTS_PER_WINDOW } from '../../../src/ims/limits/window.js';
import { silentLog } from '../../../src/log.js';
import { lockTracking } from '../../../src/tracking/events/apply-events.js';
import { serverDatabases } from '../../crash/databases.js';
import { describeOnServer } from '../../db/postgres-server.js';
import { until } from '../../support/harness.js';

/** Longer than an answered heartbeat is good for, and than a connection may stand idle in a transaction. */
const TRAFFIC_MS = 8_000;
const EACH_TRANSACTION_MS = 700;
const LOOKED_AT_EVERY_MS = 25;

describeOnServer('the heartbeat of an instance', (url) => {
  let database: Database;
  const closing: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    const fresh = await (await serverDatabases(url())).fresh();
    database = openPostgres(fresh.environment['DATABASE_URL'] ?? '', silentLog);
    closing.push(database.close);
    await migrate(database);
  });

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it('does not wait for transactions that apply callbacks, so that there is always something to send with', async () => {
    const clock = { now: () => new Date() };
    const onInstanceGone = async () => undefined;
    const share = keepShare({ database, pool: null, id: 'ours', clock, log: silentLog, onInstanceGone });
    closing.push(share.stop);
    await until('it has its share', () => share.perSecond() > 0);
    const end = Date.now() + TRAFFIC_MS;
    // As many senders of callbacks as two busy instances have: one transaction waits for the lock behind another.
    const traffic = Promise.all(Array.from({ length: 6 }, () => applyCallbacksUntil(end)));
    const seen: number[] = [];
    while (Date.now() < end) {
      seen.push(share.perSecond());
      await new Promise((done) => setTimeout(done, LOOKED_AT_EVERY_MS));
    }
    await traffic;
    expect(seen.filter((perSecond) => perSecond === 0)).toEqual([]);
  });

  it('tells a newcomer that it may begin when nothing that was sent before it was known counts any more', async () => {
    const clock = { now: () => new Date() };
    const onInstanceGone = async () => undefined;
    const share = keepShare({ database, pool: null, id: 'ours', clock, log: silentLog, onInstanceGone });
    closing.push(share.stop);
    await until('it has everything', () => share.perSecond() === REQUESTS_PER_WINDOW);
    const [known] = await database.query<{ stamp: number }>('select changed as stamp from ims_instance');
    const beat = { ...beatOf('newcomer'), ackedEpoch: known?.stamp ?? 0 };
    const newcomer = await database.transaction((sql) => writeHeartbeat(sql, beat));
    await until('it has its half', () => share.perSecond() === REQUESTS_PER_WINDOW / 2);
    const halfFrom = Date.now();
    await until('the newcomer may begin', async () => {
      const [row] = await database.query<{ knows: number }>(`select knows from ims_instance where id = 'ours'`);
      return (row?.knows ?? 0) >= newcomer.stamp;
    });
    // A request takes up to a second until it arrives, and counts for a second from then on.
    expect(Date.now() - halfFrom).toBeGreaterThanOrEqual(2_000);
  });

  it('waits for the one of an instance of an older version, which it shares the order of the stamps with', async () => {
    let commit: () => void = () => undefined;
    const committed = new Promise<void>((done) => (commit = done));
    let theirs = 0;
    const older = database.transaction(async (sql) => {
      theirs = await stampAsBefore(sql);
      await committed;
    });
    await until('the older one has its stamp', () => theirs > 0);
    const ours = database.transaction((sql) => writeHeartbeat(sql, beatOf('newer')));
    await until('ours waits for it', async () => {
      const waiting = await database.query('select from pg_locks where not granted');
      return waiting.length > 0;
    });
    commit();
    await older;
    const { stamp, rows } = await ours;
    expect(stamp).toBeGreaterThan(theirs);
    expect(rows.map(({ id }) => id)).toEqual(['newer', 'older']);
  });

  async function applyCallbacksUntil(end: number): Promise<void> {
    while (Date.now() < end) {
      await database.transaction(async (sql) => {
        await lockTracking(sql);
        await sql.query('select pg_sleep($1)', [EACH_TRANSACTION_MS / 1_000]);
      });
    }
  }
});

function beatOf(id: string): Heartbeat {
  return { id, host: null, pid: 1, ackedEpoch: 0, pooled: false, sequence: 1, membership: 'joining' };
}

/** The statements of versions before the table itself was the lock. */
async function stampAsBefore(sql: Sql): Promise<number> {
  await sql.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.tracking]);
  await sql.query(`delete from ims_instance where seen_at < clock_timestamp() - make_interval(secs => 7)`);
  const [next] = await sql.query<{ stamp: number }>(`select nextval('ims_instance_stamp')::float8 as stamp`);
  await sql.query(
    `insert into ims_instance (id, host, pid, beat, seen_at, changed, knows, pooled)
     values ('older', null, 1, 1, clock_timestamp(), $1, 0, false)`,
    [next?.stamp ?? 0],
  );
  return next?.stamp ?? 0;
}
