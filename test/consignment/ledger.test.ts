import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { describeOnServer } from '../db/postgres-server.js';
import { describeLedger } from './ledger-suite.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

describeLedger('the embedded database', () => openEmptyDatabase());

describeOnServer('the ledger', (url) =>
  describeLedger('a Postgres server', async () => openPostgres(url(), silentLog)),
);
