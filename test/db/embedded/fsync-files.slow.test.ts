import { cp, mkdtemp, rm } from 'node:fs/promises';
import { fsyncSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { tellDurability } from '../../../src/db/durability.js';
import type { Sql } from '../../../src/db/database.js';
import { openEmbedded } from '../../../src/db/embedded/embedded.js';
import { SYNCED, FsyncFiles, isSynced } from '../../../src/db/embedded/fsync-files.js';
import { keepLog } from '../../support/log-lines.js';
import { placeEmptyDatabase } from '../../support/prepared-database.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-synced-'));
  await placeEmptyDatabase(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('is asked for by the embedded database', async () => {
  const database = await openEmbedded(folder);
  try {
    expect(await database.query('show fsync')).toEqual([{ fsync: 'on' }]);
    expect(await database.query('show wal_sync_method')).toEqual([{ wal_sync_method: 'fsync' }]);
    expect(await database.query('show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
  } finally {
    await database.close();
  }
});

it('is missed aloud where a database does without', async () => {
  const told = async (sql: Pick<Sql, 'query'>) => {
    const { log, lines } = keepLog();
    await tellDurability(sql, log);
    return lines.map(({ event }) => event);
  };
  const bare = await PGlite.create();
  const query = async <Row>(text: string) => (await bare.query<Row>(text)).rows;
  expect(await told({ query })).toEqual(['the database may forget what it confirmed']);
  await bare.close();
  const database = await openEmbedded(folder);
  expect(await told(database)).toEqual([]);
  await database.close();
});

it('syncs the write-ahead log once for each commit before it returns, and the tables at a checkpoint', async () => {
  const descriptors: number[] = [];
  const sync = (descriptor: number) => {
    descriptors.push(descriptor);
    fsyncSync(descriptor);
  };
  const startParams = [...PGlite.defaultStartParams, ...SYNCED];
  const pglite = await PGlite.create({ fs: new FsyncFiles(join(folder, 'postgres'), sync), startParams });
  try {
    await pglite.exec('create table kept (n int)');
    for (let n = 0; n < 3; n += 1) {
      descriptors.length = 0;
      await pglite.query('insert into kept values ($1)', [n]);
      expect(descriptors).toHaveLength(1);
    }
    descriptors.length = 0;
    await pglite.exec('checkpoint');
    expect(descriptors.length).toBeGreaterThan(1);
  } finally {
    await pglite.close();
  }
});

it('does not confirm what the disk could not keep, and says so before anything else is done', async () => {
  let broken = false;
  const sync = () => {
    if (broken) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
  };
  const told: string[] = [];
  const files = new FsyncFiles(join(folder, 'postgres'), sync, ({ message }) => void told.push(message));
  const startParams = [...PGlite.defaultStartParams, ...SYNCED];
  const pglite = await PGlite.create({ fs: files, startParams });
  await pglite.exec('create table kept (n int)');
  broken = true;
  await expect(pglite.query('insert into kept values (1)')).rejects.toThrow();
  expect(told[0]).toMatch(/EIO: i\/o error, fsync.*The disk reports an error/);
  await pglite.close().catch(() => undefined);
});

it('need not be synced anew after a clean stop, but where it was copied, or its process died', async () => {
  const postgres = join(folder, 'postgres');
  // The prepared database comes with the mark.
  await rm(`${postgres}.synced`);
  expect(isSynced(postgres)).toBe(false);
  await (await openEmbedded(folder)).close();
  expect(isSynced(postgres)).toBe(true);

  const copy = join(folder, 'copy');
  await cp(postgres, join(copy, 'postgres'), { recursive: true, preserveTimestamps: true });
  await cp(`${postgres}.synced`, join(copy, 'postgres.synced'));
  expect(isSynced(join(copy, 'postgres'))).toBe(false);

  const left = await openEmbedded(folder);
  await left.query('create table kept (n int)');
  expect(isSynced(postgres)).toBe(false);
  await left.close();
  expect(isSynced(postgres)).toBe(true);
});
