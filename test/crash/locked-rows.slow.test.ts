import { afterEach, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { describeOnServer } from '../db/postgres-server.js';
import { until } from '../support/harness.js';
import { buildChild } from './build-child.js';
import { serverDatabases } from './databases.js';
import { Stage } from './stage.js';
import { ship } from './story.js';
import { checkFinalState } from './crash-stage.js';

const BOOKINGS = 12;
/** Longer than a lease, than a statement may take, and than a heartbeat is good for. */
const LOCKED_MS = 20_000;
/** So long that all of them are at the carrier before the first is answered, on a busy machine too. */
const BOOKING_TAKES_MS = 15_000;
const SETTLES_WITHIN_MS = 180_000;
const { oneParcel } = sampleShipments;

describeOnServer('rows that another session holds', (url) => {
  let stage: Stage;
  let databaseUrl: string;

  beforeEach(async () => {
    const program = await buildChild();
    const database = await (await serverDatabases(url())).fresh();
    databaseUrl = database.environment['DATABASE_URL'] ?? '';
    stage = await Stage.open({ program, database, instances: 2 });
    await stage.start();
    await stage.start({}, 1);
  });

  afterEach(async () => stage?.close());

  /** Nobody can change a consignment for so long. */
  async function lockRows(forMs: number): Promise<void> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query('begin');
      const { rowCount } = await client.query('select id from consignment for update');
      expect(rowCount).toBe(BOOKINGS);
      await client.query('select pg_sleep($1)', [forMs / 1_000]);
      await client.query('commit');
    } finally {
      await client.end();
    }
  }

  it(`make no question of any of ${BOOKINGS} bookings whose answers cannot be written for ${LOCKED_MS / 1_000} s`, async () => {
    const { control } = stage.sandbox;
    control.addFault({
      target: 'gls-dk',
      path: 'CreateShipment',
      kind: 'delay',
      ms: BOOKING_TAKES_MS,
      times: 'always',
    });
    const asked = Array.from({ length: BOOKINGS }, () => ship(stage.sandbox, oneParcel, 'GLS').documentId);
    await until('all are at the carrier', () => stage.bookings().length === BOOKINGS);
    await lockRows(LOCKED_MS);
    const statuses = () => control.state().documents.flatMap((row) => (asked.includes(row.id) ? [row.workStatus] : []));
    await until(
      'every document has ended',
      () => statuses().every((status) => status === 'DONE' || status === 'FAILED'),
      SETTLES_WITHIN_MS,
    );
    expect(statuses().filter((status) => status !== 'DONE')).toEqual([]);
    expect(stage.bookings()).toHaveLength(BOOKINGS);
    const rows = await stage.settle(SETTLES_WITHIN_MS);
    expect(rows.consignments.filter(({ state }) => state !== 'closed')).toEqual([]);
    expect(checkFinalState(await stage.context(rows))).toEqual([]);
  });
});
