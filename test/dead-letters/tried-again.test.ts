import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/postgres.js';
import { deadLetters } from '../../src/dead-letters/dead-letters.js';
import { silentLog } from '../../src/log.js';
import { describeOnServer } from '../db/postgres-server.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { HandClock } from '../tracking/tracking-stage.js';

/** One of each kind that was given up after some attempts, and one that has ended well. */
const ROWS = `
  insert into task (id, kind, area, document_id, state, tries, created_at)
    values ('1', 'choose-carrier', '1', 'd-1', 'given-up', 5, now()), ('2', 'choose-carrier', '1', 'd-2', 'done', 5, now());
  insert into tracking_outbox (parcel_id, kind, status, area, state, tries, created_at)
    values (1, 'message', 'delivered', '1', 'given-up', 5, now()), (2, 'message', 'delivered', '1', 'done', 5, now());
  insert into subscriber (id, url, secret, created_at) values ('sub', 'https://x.example/hook', 's', now());
  insert into webhook_delivery (subscriber_id, event_id, parcel_id, status, state, tries, due_at, created_at, ended_at)
    values ('sub', 1, 1, 'delivered', 'dead', 5, now(), now(), now()), ('sub', 2, 2, 'delivered', 'done', 5, now(), now(), now())`;

function describeTryingAgain(where: string, open: () => Promise<Database>): void {
  describe(`in ${where}`, () => {
    const clock = new HandClock();
    let database: Database;

    beforeAll(async () => {
      database = await open();
      await database.script(ROWS);
    });
    afterAll(async () => database?.close());

    it.each([
      ['task', 'task'],
      ['update', 'tracking_outbox'],
      ['webhook', 'webhook_delivery'],
    ])(
      'a dead letter of the kind %s begins again as if it were new, and what has ended does not',
      async (kind, table) => {
        const letters = deadLetters({ database, clock });
        expect([await letters.retry(`${kind}-1`), await letters.retry(`${kind}-2`)]).toEqual([1, 0]);
        const now = clock.now();
        expect(await database.query(`select state, tries, due_at, created_at from ${table} where id = '1'`)).toEqual([
          { state: 'open', tries: 0, due_at: now, created_at: now },
        ]);
      },
    );
  });
}

describeTryingAgain('the embedded database', () => openEmptyDatabase());

describeOnServer('dead letters', (url) =>
  describeTryingAgain('a Postgres server', async () => {
    const database = openPostgres(url(), silentLog);
    await migrate(database);
    return database;
  }),
);

it('work is made due again by the assignments of one file', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const assigning = files.filter((path) => /tries = 0, due_at = /.test(readFileSync(join('src', path), 'utf8')));
  expect(assigning).toEqual(['worker/leased-rows.ts']);
});
