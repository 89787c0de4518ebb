import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createClaimedRows } from '../../src/consignment/claimed-rows.js';
import {
  claim,
  giveBack,
  insertConsignment,
  insertConsignments,
} from '../../src/consignment/ledger/consignment-rows.js';
import type { Database, Sql } from '../../src/db/database.js';
import { claimTask, dueTasks, insertTask } from '../../src/tasks/task-rows.js';
import { addToOutbox, claimOutboxEntry, dueOutboxEntries } from '../../src/tracking/ims-updates/outbox-rows.js';
import { claimDelivery } from '../../src/webhooks/delivery-rows.js';
import type { Lease } from '../../src/worker/lease.js';
import { LEASED_TABLES, dropAllLeases, releaseRow, releaseRowsOf, renewRows } from '../../src/worker/leased-rows.js';
import { NOON } from '../support/consignments.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const addressee = { eventId: 'e-1', userId: null, deviceName: null };
const END = new Date(NOON.getTime() + 60_000);
const JUST_BEFORE = new Date(END.getTime() - 1);
const LATER = new Date(END.getTime() + 60_000);
/** A statement that claims, renews or releases; the ledger's save keeps or ends its own lease with the same write. */
const LEASE_STATEMENT = /lease_until (is null|<=|> \$\d)|lease_owner = (null|\$2,)|set lease_until/;
const MAY_LEASE = ['worker/leased-rows.ts', 'consignment/ledger/save.ts'];

let database: Database;
let count = 0;

beforeAll(async () => {
  database = await openEmptyDatabase();
});
afterAll(async () => database.close());
beforeEach(() => void (count += 1));

async function newTask(sql: Sql): Promise<string> {
  const id = `t-${count}`;
  const of = { kind: 'choose-carrier', area: '1', shipmentId: '2', documentId: null } as const;
  await insertTask(sql, { id, ...of, addressee, createdAt: NOON });
  return id;
}

async function newConsignment(sql: Sql): Promise<string> {
  const of = { area: '1', bookedOn: 'transport-booking', documentId: `d-${count}`, shipmentId: null } as const;
  return (await insertConsignment(sql, { ...of, addressee, now: NOON })) ?? '';
}

const TABLES = [
  { table: 'consignment', add: newConsignment, take: claim },
  { table: 'task', add: newTask, take: claimTask },
] as const;

function lease(owner: string, now: Date, until: Date): Lease {
  return { owner, now, until };
}

describe.each(TABLES)('leases of $table', ({ table, add, take }) => {
  it('leave a row to its owner until the lease ends, and to anybody from that moment', async () => {
    const id = await add(database);
    expect(await take(database, id, lease('one', NOON, END))).not.toBeNull();
    expect(await take(database, id, lease('two', JUST_BEFORE, LATER))).toBeNull();
    expect(await take(database, id, lease('two', END, LATER))).not.toBeNull();
  });

  it('are renewed by their owner only, and not after their end', async () => {
    const id = await add(database);
    await take(database, id, lease('one', NOON, END));
    expect(await renewRows(database, table, { lease: lease('two', JUST_BEFORE, LATER), ids: [id] })).toEqual([]);
    expect(await renewRows(database, table, { lease: lease('one', END, LATER), ids: [id] })).toEqual([]);
    expect(await renewRows(database, table, { lease: lease('one', JUST_BEFORE, LATER), ids: [id] })).toEqual([id]);
    expect(await take(database, id, lease('two', END, LATER))).toBeNull();
  });

  it('are not released by an owner who has lost them', async () => {
    const id = await add(database);
    await take(database, id, lease('two', NOON, END));
    await releaseRow(database, table, { id, owner: 'one' });
    await releaseRowsOf(database, table, 'one');
    expect(await take(database, id, lease('one', JUST_BEFORE, LATER))).toBeNull();
    await releaseRow(database, table, { id, owner: 'two' });
    expect(await take(database, id, lease('one', JUST_BEFORE, LATER))).not.toBeNull();
  });
});

describe('a consignment that is inserted with a lease', () => {
  const claimed = async () => {
    const of = { area: '1', bookedOn: 'transport-booking', documentId: `d-${count}`, shipmentId: null } as const;
    const [row] = await insertConsignments(database, [{ ...of, addressee, now: NOON, lease: lease('one', NOON, END) }]);
    return row;
  };

  it('is left to its owner until the lease ends', async () => {
    const row = await claimed();
    expect(row?.claimed).toMatchObject({ id: row?.id, state: 'received', leaseUntil: END });
    expect(await claim(database, row?.id ?? '', lease('two', JUST_BEFORE, LATER))).toBeNull();
    expect(await claim(database, row?.id ?? '', lease('two', END, LATER))).not.toBeNull();
  });

  it('counts as claimed once, so that the next owner knows that another has begun', async () => {
    const plain = await newConsignment(database);
    const afterClaim = await claim(database, plain, lease('one', NOON, END));
    count += 1;
    expect((await claimed())?.claimed?.version).toBe(afterClaim?.version);
  });

  it('is taken once, and not after the lease has ended', async () => {
    const rows = createClaimedRows();
    for (const now of [JUST_BEFORE, END]) {
      count += 1;
      const consignment = (await claimed())?.claimed;
      if (!consignment) throw new Error('no lease');
      rows.add(consignment, NOON);
      expect(rows.take(consignment.id, now)?.id).toBe(now === END ? undefined : consignment.id);
      expect(rows.take(consignment.id, NOON)).toBeNull();
    }
  });

  it('is forgotten when it was not taken in time', async () => {
    const rows = createClaimedRows();
    const [first, second] = [(await claimed())?.claimed, ((count += 1), (await claimed())?.claimed)];
    if (!first || !second) throw new Error('no lease');
    rows.add(first, NOON);
    rows.add(second, END);
    expect(rows.take(first.id, NOON)).toBeNull();
  });
});

async function newOutboxEntry(sql: Sql): Promise<string> {
  const of = { kind: 'message', status: 'returned', area: '1', shipmentId: null, dueAt: NOON } as const;
  await addToOutbox(sql, [{ parcelId: String(count), ...of }], NOON);
  const [id] = await dueOutboxEntries(sql, NOON, 1);
  return id ?? '';
}

/** @returns the id of its subscriber, by which deliveries are claimed */
async function newDelivery(sql: Sql): Promise<string> {
  const id = `s-${count}`;
  await sql.query(
    `with added as (insert into subscriber (id, url, secret, created_at) values ($1, 'https://one.example', 'x', $2) returning id)
     insert into webhook_delivery (subscriber_id, event_id, parcel_id, status, due_at, created_at)
     select id, 1, 1, 'returned', $2, $2 from added`,
    [id, NOON],
  );
  return id;
}

describe('a process that has the database to itself', () => {
  it.each([
    { table: 'consignment', add: newConsignment, take: claim },
    { table: 'task', add: newTask, take: claimTask },
    { table: 'tracking_outbox', add: newOutboxEntry, take: claimOutboxEntry },
    { table: 'webhook_delivery', add: newDelivery, take: claimDelivery },
  ])('releases the leases of dead processes in $table when it starts', async ({ add, take }) => {
    const id = await add(database);
    expect(await take(database, id, lease('dead', NOON, END))).not.toBeNull();
    expect(await take(database, id, lease('one', JUST_BEFORE, LATER))).toBeNull();
    await dropAllLeases(database);
    expect(await take(database, id, lease('one', JUST_BEFORE, LATER))).not.toBeNull();
  });

  it('forgets no table that has leases', async () => {
    const rows = await database.query<{ name: string }>(
      `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
        where a.attname = 'lease_owner' and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace`,
    );
    expect(rows.map(({ name }) => name).sort()).toEqual([...LEASED_TABLES].sort());
  });
});

describe('a lease', () => {
  it('hides a due task from the search until it ends', async () => {
    const id = await newTask(database);
    await claimTask(database, id, lease('one', NOON, END));
    expect(await dueTasks(database, JUST_BEFORE, 200)).not.toContain(id);
    expect(await dueTasks(database, END, 200)).toContain(id);
  });

  it('given back by a consignment that lost it changes nothing', async () => {
    const id = await newConsignment(database);
    await claim(database, id, lease('two', NOON, END));
    await giveBack(database, id, 'one');
    expect(await claim(database, id, lease('one', JUST_BEFORE, LATER))).toBeNull();
  });

  it('is claimed, renewed and released by statements of one file', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const others = files.filter((path) => !path.startsWith('db/migrations/') && !MAY_LEASE.includes(path));
    expect(others.filter((path) => LEASE_STATEMENT.test(readFileSync(join('src', path), 'utf8')))).toEqual([]);
  });
});
