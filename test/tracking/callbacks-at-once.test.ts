import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { type NewCallback, insertCallbacks } from '../../src/tracking/callbacks/callback-rows.js';
import { createInbox } from '../../src/tracking/callbacks/inbox.js';
import { describeOnServer } from '../db/postgres-server.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { DAWN } from './tracking-stage.js';

const CALLBACKS = 400;
const ROUNDS = 20;

function callback(hash: string, note: string | null = null): NewCallback {
  return { account: 'main', hash, body: Buffer.from('{}'), outcome: null, note, receivedAt: DAWN };
}

describe('callbacks that are stored in one write', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openEmptyDatabase();
    await migrate(database);
  });
  beforeEach(() => database.script('truncate callback'));
  afterAll(() => database.close());

  it('are stored all but one that the database refuses', async () => {
    const { put } = createInbox(database);
    const outcomes = await Promise.allSettled([put(callback('1')), put(callback('2', 'a\0b')), put(callback('3'))]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await database.query('select hash from callback order by hash')).toEqual([{ hash: '1' }, { hash: '3' }]);
  });
});

describeOnServer('callbacks that a carrier sends to two instances at once, in another order', (url) => {
  let instances: readonly [Database, Database];
  beforeAll(async () => {
    instances = [openPostgres(url(), silentLog), openPostgres(url(), silentLog)];
    await migrate(instances[0]);
  });
  afterAll(async () => {
    for (const each of instances) await each.close();
  });

  it.each(['new', 'known'])('are stored by both (%s ones)', async (which) => {
    const [first, second] = instances;
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = which === 'new' ? `${which}-${round}` : which;
      const sent = Array.from({ length: CALLBACKS }, (_none, n) => callback(`${name}-${n}`));
      await Promise.all([insertCallbacks(first, sent), insertCallbacks(second, [...sent].reverse())]);
    }
    const rows = await first.query('select from callback where hash like $1', [`${which}-%`]);
    expect(rows).toHaveLength(which === 'new' ? ROUNDS * CALLBACKS : CALLBACKS);
  });
});
