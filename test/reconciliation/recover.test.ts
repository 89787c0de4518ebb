import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Consignment } from '../../src/consignment/consignment.js';
import { createHeldLeases } from '../../src/worker/held-leases.js';
import {
  claim,
  insertConsignment,
  loadConsignment,
  reopenByDocument,
} from '../../src/consignment/ledger/consignment-rows.js';
import { save } from '../../src/consignment/ledger/save.js';
import { writeStatusAgain } from '../../src/reconciliation/recover.js';
import type { BookingContext } from '../../src/consignment/context.js';
import type { Area } from '../../src/areas/area.js';
import type { Database } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { silentLog } from '../../src/log.js';
import { NOON } from '../support/consignments.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const event = {
  ...({ area: '1', bookedOn: 'transport-booking', documentId: '501', shipmentId: '601' } as const),
  ...{ addressee: { eventId: 'event-1', userId: null, deviceName: null }, now: NOON },
};
const LEASE = { owner: 'another', now: NOON, until: new Date(NOON.getTime() + 10_000) };

let database: Database;
let refused: Consignment;
let written: string[];

beforeAll(async () => {
  database = await openEmptyDatabase();
  await migrate(database);
});
afterAll(() => database.close());

beforeEach(async () => {
  await database.script('truncate consignment, journal, label');
  written = [];
  const id = (await insertConsignment(database, event)) ?? '';
  const taken = await claim(database, id, LEASE);
  if (!taken) throw new Error('it could not be claimed');
  refused = await save(
    database,
    { ...taken, state: 'refused', dueAt: null },
    {
      owner: 'another',
      now: NOON,
      entries: [],
      keepLease: 'give-back',
      answersCancelRequest: 'stands',
      knownCancelRequest: null,
    },
  );
});

function writeAgain(): Promise<boolean> {
  const setWorkStatus = async (document: string, status: string) => {
    written.push(`${document} ${status}`);
    // Whoever wants to start it anew has to wait until this is out.
    expect(await claimAnew()).toBeNull();
  };
  const area = { contextId: '1', imsBackground: { setWorkStatus } } as unknown as Area;
  const lease = { owner: 'us', lengthMs: 10_000, held: createHeldLeases() };
  const context = { database, clock: { now: () => NOON }, log: silentLog, lease } as unknown as BookingContext;
  return writeStatusAgain(context, area, { consignment: refused, status: 'FAILED' });
}

async function claimAnew() {
  await database.query('update consignment set due_at = $1', [NOON]);
  const claimed = await claim(database, refused.id, LEASE);
  await database.query('update consignment set due_at = null');
  return claimed;
}

it('writes the status of what has ended once more, and lets it go', async () => {
  expect(await writeAgain()).toBe(true);
  expect(written).toEqual(['501 FAILED']);
  expect((await loadConsignment(database, refused.id)).leaseUntil).toBeNull();
});

it('writes nothing over a run that was started since it was read', async () => {
  expect(await reopenByDocument(database, event)).toBe(refused.id);
  expect(await writeAgain()).toBe(false);
  expect(written).toEqual([]);
  expect(await claim(database, refused.id, LEASE)).not.toBeNull();
});

it('writes nothing while somebody works on it', async () => {
  await database.query(`update consignment set lease_owner = 'another', lease_until = $1`, [LEASE.until]);
  expect(await writeAgain()).toBe(false);
  expect(written).toEqual([]);
});
