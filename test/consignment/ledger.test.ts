import { openEmbedded } from '../../src/db/embedded.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { describeOnServer } from '../db/postgres-server.js';
import { describeLedger } from './ledger-suite.js';

describeLedger('the embedded database', () => openEmbedded(null));

describeOnServer('the ledger', (url) =>
  describeLedger('a Postgres server', async () => openPostgres(url(), silentLog)),
);
