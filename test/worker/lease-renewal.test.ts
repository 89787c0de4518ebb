import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { claimTask, insertTask, renewTaskLeases } from '../../src/tasks/task-rows.js';
import { giveBackLeases } from '../../src/consignment/ledger/due-rows.js';
import { createHeldLeases } from '../../src/worker/held-leases.js';
import { LEASE_MS, keepLeases } from '../../src/worker/lease-renewal.js';
import { claim, insertConsignment, renewLeases } from '../../src/consignment/ledger/consignment-rows.js';
import type { Database } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { silentLog } from '../../src/log.js';
import { until } from '../support/harness.js';
import { NOON } from '../support/consignments.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const addressee = { eventId: 'e-1', userId: null, deviceName: null };
const LATER_MS = 5_000;
const RENEW_EVERY_MS = 100;
const RENEWED_WITHIN_MS = 60_000;
/** The lease that was claimed has ended, the renewed one has not. */
const IN_BETWEEN = new Date(NOON.getTime() + LEASE_MS + 1_000);

let database: Database;
let renewals = 0;
let count = 0;

beforeAll(async () => {
  database = await openEmptyDatabase();
  await migrate(database);
});
afterAll(() => database.close());
beforeEach(() => void (renewals = 0));

/** Counts what has been answered. */
function counted(): Database {
  const query: Database['query'] = async (text, values) => {
    const rows = await database.query<never>(text, values);
    if (/set lease_until/.test(text)) renewals += 1;
    return rows;
  };
  return { ...database, query };
}

async function claimed(kind: 'consignment' | 'task'): Promise<string> {
  const lease = { owner: 'us', now: NOON, until: new Date(NOON.getTime() + LEASE_MS) };
  count += 1;
  const about = { area: '1', documentId: `d-${count}`, shipmentId: '6', addressee };
  if (kind === 'task') {
    const id = `task-${count}`;
    await insertTask(database, { ...about, id, kind: 'choose-carrier', createdAt: NOON });
    expect(await claimTask(database, id, lease)).not.toBeNull();
    return id;
  }
  const id = await insertConsignment(database, { ...about, bookedOn: 'transport-booking', now: NOON });
  if (id === null) throw new Error('it was not inserted');
  expect(await claim(database, id, lease)).not.toBeNull();
  return id;
}

const tables = { consignment: 'consignment', task: 'task' };
const renewed = { consignment: renewLeases, task: renewTaskLeases };

/** @returns whether the work is still held after a renewal, beyond the lease with which it began */
async function isHeldBeyond(kind: 'consignment' | 'task', id: string): Promise<boolean> {
  const held = createHeldLeases();
  held.take(id, new Date(NOON.getTime() + LEASE_MS));
  const stop = keepLeases({
    log: silentLog,
    clock: { now: () => new Date(NOON.getTime() + LATER_MS) },
    lease: { owner: 'us', held },
    kinds: [{ ids: () => [id], renew: (lease, ids) => renewed[kind](counted(), lease, ids) }],
    everyMs: RENEW_EVERY_MS,
  });
  try {
    await until('it was renewed, or tried to', () => renewals > 0, RENEWED_WITHIN_MS);
    await new Promise((done) => setImmediate(done));
    return held.holds(id, IN_BETWEEN);
  } finally {
    stop();
  }
}

describe.each(['consignment', 'task'] as const)('the lease of a %s', (kind) => {
  it('is held for longer once it was renewed', async () => {
    expect(await isHeldBeyond(kind, await claimed(kind))).toBe(true);
  });

  it('is not held for longer when somebody else has taken it', async () => {
    const id = await claimed(kind);
    await database.query(`update ${tables[kind]} set lease_owner = 'them'`);
    expect(await isHeldBeyond(kind, id)).toBe(false);
  });

  it('is not held for longer when it was given back', async () => {
    const id = await claimed(kind);
    await giveBackLeases(database, 'us');
    expect(await isHeldBeyond(kind, id)).toBe(false);
  });
});
