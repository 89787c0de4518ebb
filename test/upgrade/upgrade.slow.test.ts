import { it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { describeOnServer } from '../db/postgres-server.js';
import { BEHAVIOUR, finishesAll } from './finishes-all.js';

describeOnServer('a database of the version before the tables were renamed', (url) => {
  it(BEHAVIOUR, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waybridge-upgrade-'));
    await finishesAll({
      dataDir: join(folder, 'unused'),
      environment: { DATABASE_URL: url() },
      open: async () => openPostgres(url(), silentLog),
    });
    await rm(folder, { recursive: true, force: true });
  });
});
