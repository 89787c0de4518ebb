import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '../../src/db/database.js';
import { openPostgres } from '../../src/db/postgres.js';
import { silentLog } from '../../src/log.js';
import { describeOnServer } from './postgres-server.js';

const STATEMENT_WITHIN_MS = 300;
/** More than once, since two clocks run. */
const TIMES = 5;
/** What Postgres says of a statement that it has ended itself (query_canceled). */
const CANCELED = '57014';

describeOnServer('a statement that takes too long', (url) => {
  it('is ended by the server, whose word that nothing of it was done arrives', async () => {
    const database = openPostgres(url(), silentLog, { statementMs: STATEMENT_WITHIN_MS });
    try {
      for (let time = 1; time <= TIMES; time += 1) {
        const error: unknown = await database.query('select pg_sleep(20)').catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(DatabaseUnavailable);
        expect((error as Error).cause).toMatchObject({ code: CANCELED });
      }
    } finally {
      await database.close();
    }
  });
});

it('a statement to a server that never says anything more is given up all the same', async () => {
  const mute = createServer((socket) => {
    // Logs everyone in, is ready, and hears no statement.
    socket.once('data', () => socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done));
  const { port } = mute.address() as AddressInfo;
  const database = openPostgres(`postgres://nobody@127.0.0.1:${port}/none`, silentLog, {
    statementMs: STATEMENT_WITHIN_MS,
  });
  await expect(database.query('select 1')).rejects.toThrow(DatabaseUnavailable);
  mute.close();
});
