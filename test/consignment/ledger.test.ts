import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { openEmbedded } from '../../src/db/embedded.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { type PostgresServer, findPostgres, startPostgres } from '../db/postgres-server.js';
import { describeLedger } from './ledger-suite.js';

describeLedger('the embedded database', () => openEmbedded(null));

const bin = findPostgres();

if (bin === null) {
  describe('the ledger in a Postgres server', () => {
    it.skip('skipped: no initdb and postgres were found on this machine', () => undefined);
  });
} else {
  describe('with a server', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres(bin);
    }, 60_000);
    afterAll(async () => server?.stop());
    describeLedger('a Postgres server', async () => openPostgres(server.url, silentLog));
  });
}
