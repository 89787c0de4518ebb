import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../src/db/database.js';
import { openWithoutTables } from '../support/prepared-database.js';
import { migrate } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { describeOnServer } from './postgres-server.js';

/** Of the ledger's tables as they were made for some minutes, before `consignment.carrier_name`. */
const FIRST_LEDGER = '164b648f66745db551aa57880738cf283b948567bbe37f7b151a1e7e7c7596e6';

const checksums = (database: Database) =>
  database.query<{ n: number; checksum: string | null }>('select n, checksum from migration order by n');

function behaviour(open: () => Promise<Database>): void {
  let database: Database;

  beforeAll(async () => {
    database = await open();
    await migrate(database);
  });

  afterAll(() => database.close());

  it('keeps a checksum of every migration, and finds nothing to do the next time', async () => {
    const kept = await checksums(database);
    expect(kept.every(({ checksum }) => /^[0-9a-f]{64}$/.test(checksum ?? ''))).toBe(true);
    expect(await migrate(database)).toEqual([]);
    expect(await checksums(database)).toEqual(kept);
  });

  it('takes over a database of a version that kept no checksums', async () => {
    const kept = await checksums(database);
    await database.script('alter table migration drop column checksum');
    expect(await migrate(database)).toEqual([]);
    expect(await checksums(database)).toEqual(kept);
  });

  it('refuses a database whose tables were made by another text of a migration, and names it', async () => {
    const [kept] = await database.query<{ checksum: string }>('select checksum from migration where n = 3');
    await database.query('update migration set checksum = $1 where n = 3', ['0'.repeat(64)]);
    await expect(migrate(database)).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(/migration 3 \(lost-events\)[^]*restore a backup/),
    });
    await database.query('update migration set checksum = $1 where n = 3', [kept?.checksum]);
    expect(await migrate(database)).toEqual([]);
  });

  it('refuses a database of a newer version, changes nothing in it, and says what to do', async () => {
    await database.query("insert into migration (n, name) values (998, 'tomorrow'), (999, 'next-year')");
    await expect(migrate(database)).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(/998 \(tomorrow\), 999 \(next-year\)[^]*newer version[^]*start that version/),
    });
    const newer = (await checksums(database)).filter(({ n }) => n > 900);
    expect(newer).toEqual([
      { n: 998, checksum: null },
      { n: 999, checksum: null },
    ]);
    await database.query('delete from migration where n > 900');
  });

  it('lets an instance of the version before work beside newer ones: it finds renamed tables under their old names', async () => {
    const now = new Date();
    const later = new Date(now.getTime() + 60_000);
    await database.query(
      `insert into errand (id, kind, area, state, due_at, created_at) values ('e', 'choose-carrier', '1', 'open', $1, $1)
       on conflict do nothing`,
      [now],
    );
    await database.query("update errand set told = told || '[\"one\"]'::jsonb where id = 'e'");
    expect(
      await database.query(
        `update errand set lease_owner = 'old', lease_until = $2, version = version + 1
          where id = 'e' and due_at <= $1 and (lease_until is null or lease_until <= $1) returning id, tries, told`,
        [now, later],
      ),
    ).toEqual([{ id: 'e', tries: 0, told: ['one'] }]);
    expect(await database.query('select id, lease_owner from task')).toEqual([{ id: 'e', lease_owner: 'old' }]);

    const claim = `insert into notice (area, topic, told_at)
       select '1', 't', $1 where not exists (select 1 from notice where area = '1' and topic = 'other')
       on conflict (area, topic) do update set told_at = $1 where notice.told_at < $2 returning area`;
    expect(await database.query(claim, [now, now])).toHaveLength(1);
    expect(await database.query(claim, [later, now])).toEqual([]);
    expect(await database.query('select topic from sent_message')).toEqual([{ topic: 't' }]);

    const sweep = `insert into lost_event_sweep (area, next_at, seen, taken_up) values ('1', $1, '[]'::jsonb, 2)
       on conflict (area) do update set seen = '[]'::jsonb, taken_up = lost_event_sweep.taken_up + 2`;
    await database.query(sweep, [now]);
    await database.query(sweep, [now]);
    expect(await database.query('select recovered::int from missed_event_sweep')).toEqual([{ recovered: 4 }]);

    const outbox = `insert into tracking_notice (parcel_id, kind, status, area, shipment_id, due_at, created_at)
       values (1, 'kept-status', 'status', '1', 's', $1, $1)
       on conflict (parcel_id, kind, status) do update set generation = tracking_notice.generation + 1
        where tracking_notice.kind = 'kept-status'`;
    await database.query(outbox, [now]);
    await database.query(outbox, [now]);
    expect(await database.query('select state, generation from tracking_outbox')).toEqual([
      { state: 'open', generation: 1 },
    ]);

    await database.query("insert into subscriber (id, url, secret, created_at) values ('s', 'u', 'x', $1)", [now]);
    await database.query(
      `insert into onward_delivery (subscriber_id, event_id, parcel_id, status, due_at, created_at)
       values ('s', 1, 1, 'delivered', $1, $1) on conflict (subscriber_id, event_id, status) do nothing`,
      [now],
    );
    expect(
      await database.query(
        `update onward_delivery set lease_owner = 'old', lease_until = $2
          where id = (select d.id from onward_delivery d where d.subscriber_id = 's' and d.state = 'open' and d.due_at <= $1
                       order by d.due_at, d.id limit 1 for update skip locked) returning state`,
        [now, later],
      ),
    ).toEqual([{ state: 'open' }]);
    expect(await database.query('select lease_owner from webhook_delivery')).toEqual([{ lease_owner: 'old' }]);
  });

  it('accepts the first form of the ledger, and adds what it lacks', async () => {
    const [own] = await checksums(database);
    await database.query('update migration set checksum = $1 where n = 1', [FIRST_LEDGER]);
    await database.script(
      "alter table consignment drop column carrier_name; delete from migration where name = 'carrier-name'",
    );
    expect(await migrate(database)).toEqual(['carrier-name']);
    expect(await database.query('select carrier_name from consignment')).toEqual([]);
    expect(await migrate(database)).toEqual([]);
    await database.query('update migration set checksum = $1 where n = 1', [own?.checksum]);
  });
}

describe('the tables of the embedded database', () => behaviour(openWithoutTables));

describeOnServer('the tables on a server', (url) => behaviour(async () => openPostgres(url(), silentLog)));
