import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../src/db/database.js';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
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

describe('the tables of the embedded database', () => behaviour(() => openEmbedded(null)));

describeOnServer('the tables on a server', (url) => behaviour(async () => openPostgres(url(), silentLog)));
