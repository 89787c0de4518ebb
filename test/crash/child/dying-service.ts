import { startAppWith } from '../../../src/app/app.js';
import { settingsFor } from '../../../src/cli/settings-for.js';
import type { Database } from '../../../src/db/database.js';
import { Moments } from './moments.js';
import type { Orders, Question, Report } from './protocol.js';
import { readRows } from './rows.js';
import { sabotagedCarriers, sabotagedDatabase, sabotagedHttp } from './sabotage.js';
import { watchDatabase } from './watch-database.js';
import { watchHttp, watchWire } from './watch-http.js';

/** Deep enough for every chain of calls from its start. */
const STACK_DEPTH = 60;

/** The service as it is, but for the watchers around its database and its way out. It may be ordered to die. */
async function main(orders: Orders): Promise<void> {
  Error.stackTraceLimit = STACK_DEPTH;
  const moments = new Moments(orders.death);
  let aheadMs = orders.clockAheadMs;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  let inner: Database | undefined;
  const owners = new Set<string>();
  watchWire(moments);
  const prepared = await settingsFor();
  const config = sabotagedCarriers(prepared.config, orders.sabotage);
  const app = await startAppWith({
    ...prepared,
    config,
    seams: {
      clock,
      database: (database) => {
        inner = database;
        return watchDatabase(
          sabotagedDatabase(database, { sabotage: orders.sabotage, owners, log: prepared.log }),
          moments,
        );
      },
      http: (port) => watchHttp(sabotagedHttp(port, orders.sabotage), moments),
    },
  });
  process.on('message', (question: Question) => {
    void answer(question).then((report) => process.send?.(report));
  });
  const answer = async (question: Question): Promise<Report> => {
    switch (question.ask) {
      case 'rows':
        if (inner === undefined) throw new Error('there is no database');
        return { tell: 'rows', rows: await readRows(inner, { owners, now: clock.now() }).catch(notNow) };
      case 'moments':
        return { tell: 'moments', moments: moments.all() };
      case 'clock':
        aheadMs = question.aheadMs;
        // What has become due is not left waiting for the sweeper's next turn, in time that passes for nobody.
        void app.lookForDue().catch(notNow);
        return { tell: 'clock' };
      case 'death':
        moments.dieAt(question.death);
        return { tell: 'death' };
    }
  };
  process.once('SIGTERM', () => void app.stop().then(() => process.exit(0)));
  process.send?.({ tell: 'listening', url: app.url } satisfies Report);
}

/** A database that does not answer now may answer later; the service lives on meanwhile. */
function notNow(error: unknown): null {
  process.stderr.write(`its rows could not be read: ${String(error)}\n`);
  return null;
}

// A parent that is gone has no use for its child.
process.once('disconnect', () => process.exit(0));
await main(JSON.parse(process.argv[2] ?? '{}') as Orders);
