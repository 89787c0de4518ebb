import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadLabels } from '../../src/consignment/ledger/label-rows.js';
import { findConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import type { Database } from '../../src/db/database.js';
import { openDatabase } from '../../src/db/open-database.js';
import { DataKeyMismatch } from '../../src/db/sealing/data-keys.js';
import { createKeyRing } from '../../src/db/sealing/key-ring.js';
import { silentLog } from '../../src/log.js';
import { RetentionConfig } from '../../src/config/sections/retention.js';
import { startRetention } from '../../src/retention/retention.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { describeOnServer } from '../db/postgres-server.js';
import { openSeamed } from '../support/seamed-service.js';

const { oneParcel } = sampleShipments;
const NAME = 'Ragnhild Tindborg';
const newKey = () => randomBytes(32).toString('base64');

interface Left {
  /** The settings that lead to the database of the stopped service. */
  readonly place: { readonly DATABASE_URL?: string; readonly DATA_DIR: string };
  readonly id: string;
  readonly label: Buffer;
}

/** Books a shipment, which is refused once before, and stops. */
async function bookAndStop(databaseUrl: string | null, dataKey: string | null): Promise<Left> {
  const seamed = await openSeamed(databaseUrl, dataKey === null ? {} : { environment: { DATA_KEY: dataKey } });
  const { service, dataDir } = seamed;
  const address = { ...(oneParcel.shipment['deliveryAddress'] as object), addressee: NAME };
  const shipmentId = service.ship(oneParcel, {
    ...{ carrierName: 'GLS', deliveryAddress: address, notesOnDelivery: `for ${NAME}` },
    contactPerson: { name: NAME, mobileNumber: '+4522334455' },
  });
  const { documentId } = service.bookQuietly(shipmentId);
  const about = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1' };
  await service.send({ ...about, eventId: randomUUID(), documentId, shipmentId, deliveryAddress: address });
  const { consignment } = await service.ending(documentId);
  expect(consignment.state).toBe('closed');
  const { bytes: label } = await service.operator(`/consignments/${consignment.id}/labels/0`);
  expect(label.subarray(0, 5).toString()).toBe('%PDF-');
  await service.stop();
  await service.sandbox.close();
  const place = { DATA_DIR: dataDir, ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) };
  return { place, id: consignment.id, label };
}

async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  const found: string[] = [];
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    if ((await readFile(path)).includes(text)) found.push(path);
  }
  return found;
}

async function withDatabase<Result>(
  { place }: Left,
  dataKey: string | undefined,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase({ ...place, ...(dataKey !== undefined && { DATA_KEY: dataKey }) }, silentLog);
  return work(database).finally(() => database.close());
}

/** What is read with these keys. */
function read(left: Left, dataKey: string | undefined): Promise<{ readonly name: unknown; readonly label: Buffer }> {
  return withDatabase(left, dataKey, async (database) => {
    const [label] = await loadLabels(database, left.id);
    const consignment = await findConsignment(database, left.id);
    return { name: consignment?.parts[0]?.request.recipient.address.name, label: Buffer.from(label?.bytes ?? []) };
  });
}

function sealAgain(left: Left, dataKey: string): Promise<object> {
  return withDatabase(left, dataKey, async (database) => {
    const clock = { now: () => new Date() };
    const deleted = () => undefined;
    const days = new RetentionConfig();
    const retention = startRetention({ database, clock, log: silentLog, owner: randomUUID(), days, deleted });
    const done = await retention.round();
    await retention.stop(0);
    return done;
  });
}

function cases(databaseUrl: () => string | null): void {
  const [old, next] = [newKey(), newKey()];
  let left: Left;

  beforeAll(async () => {
    left = await bookAndStop(databaseUrl(), old);
  });
  afterAll(() => rm(dirname(left.place.DATA_DIR), { recursive: true, force: true }));

  it('are read with their key', async () => {
    expect(await read(left, old)).toEqual({ name: NAME, label: left.label });
  });

  it('keep a service without their key from starting, and name the key', async () => {
    for (const wrong of [undefined, next]) {
      const start = withDatabase(left, wrong, async () => undefined);
      await expect(start).rejects.toThrow(DataKeyMismatch);
      await expect(withDatabase(left, wrong, async () => undefined)).rejects.toThrow(
        createKeyRing([Buffer.from(old, 'base64')]).first,
      );
    }
    expect(await read(left, old)).toEqual({ name: NAME, label: left.label });
  });

  it('are sealed with a new key that comes first, and need the old one no more', async () => {
    expect(await read(left, `${old},${next}`)).toEqual({ name: NAME, label: left.label });
    expect(await read(left, `${next},${old}`)).toEqual({ name: NAME, label: left.label });
    await expect(read(left, next)).rejects.toThrow(DataKeyMismatch);
    expect(await sealAgain(left, `${next},${old}`)).toMatchObject({ sealed: expect.any(Number) });
    expect(await sealAgain(left, `${next},${old}`)).toEqual({});
    expect(await read(left, next)).toEqual({ name: NAME, label: left.label });
    await expect(read(left, old)).rejects.toThrow(DataKeyMismatch);
  });
}

describe('names and labels in the embedded database', () => {
  cases(() => null);

  it('are in none of its files where a key is set, and are without one until it is set', async () => {
    const sealed = await bookAndStop(null, newKey());
    const clear = await bookAndStop(null, null);
    expect(await filesWith(sealed.place.DATA_DIR, NAME)).toEqual([]);
    expect(await filesWith(clear.place.DATA_DIR, NAME)).not.toEqual([]);
    const key = newKey();
    expect(await sealAgain(clear, key)).toMatchObject({ sealed: expect.any(Number) });
    expect(await read(clear, key)).toEqual({ name: NAME, label: clear.label });
    const inRows = await withDatabase(clear, key, (database) => namedIn(database));
    expect(inRows).toEqual([]);
    for (const { place } of [sealed, clear]) await rm(dirname(place.DATA_DIR), { recursive: true, force: true });
  });
});

/** The tables whose rows hold the name as they are stored. */
async function namedIn(database: Database): Promise<readonly string[]> {
  const tables = ['consignment', 'label', 'journal', 'event', 'callback', 'return_label', 'consignment_request'];
  const found: string[] = [];
  for (const table of tables) {
    const like = [`%${NAME}%`, `%${Buffer.from(NAME).toString('hex')}%`];
    const rows = await database.query(`select 1 from ${table} t where t::text like $1 or t::text like $2`, like);
    if (rows.length > 0) found.push(table);
  }
  return found;
}

describeOnServer('names and labels', (url) => cases(url));

it('a sealed value that was changed is not read', () => {
  const ring = createKeyRing([randomBytes(32)]);
  const sealed = ring.seal(Buffer.from(NAME));
  expect(ring.open(sealed).toString()).toBe(NAME);
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  expect(() => ring.open(sealed)).toThrow();
  expect(() => createKeyRing([randomBytes(32)]).open(ring.seal(Buffer.from(NAME)))).toThrow(/DATA_KEY does not have/);
});
