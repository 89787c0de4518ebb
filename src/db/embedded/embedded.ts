import { PGlite, type PGliteOptions, type Transaction } from '@electric-sql/pglite';
import { fsyncSync } from 'node:fs';
import { join } from 'node:path';
import { type Log, silentLog } from '../../log.js';
import { lockDataDir } from './data-dir-lock.js';
import type { Database, Sql } from '../database.js';
import { maxFilesOfDatabase } from '../open-files.js';
import { preparedStatements } from './prepared-statements.js';
import { type OnStorageFailure, brokenDatabase, endProcess } from './storage-failure.js';
import { SYNCED, FsyncFiles, isSynced, markSynced, syncAll } from './fsync-files.js';
import { queryTogether } from './group-commit.js';
import { keepVacuumed } from './vacuum.js';

interface Around {
  /** What is in it when it is made in memory. */
  readonly dump?: Blob;
  /** Hears of a storage that has failed, after which the process must not go on. */
  readonly onFailure?: OnStorageFailure;
  readonly log?: Log;
}

/**
 * Postgres inside this process, kept in a folder. Every commit is on disk when it returns: synced, so that it also
 * outlives a loss of power.
 * @param dataDir `null`: in memory, for tests
 * @throws DataDirInUse
 * @throws StorageFailure
 */
export async function openEmbedded(
  dataDir: string | null,
  { dump, onFailure = endProcess, log = silentLog }: Around = {},
): Promise<Database> {
  const unlock = dataDir === null ? async () => undefined : await lockDataDir(dataDir, onFailure);
  const options = { ...BYTES, relaxedDurability: false, ...(dump ? { loadDataDir: dump } : {}) };
  const pglite = await (dataDir === null
    ? PGlite.create('memory://', options)
    : openOnDisk(join(dataDir, 'postgres'), options, onFailure));
  const run = preparedStatements(pglite);
  let underWay = 0;
  const checked = guard(dataDir, onFailure);
  const guarded: typeof checked = (work) => {
    underWay += 1;
    return checked(work).finally(() => (underWay -= 1));
  };
  const transaction: Database['transaction'] = (work) =>
    guarded(() => pglite.transaction((tx) => work(within(tx, run))));
  const statements: Sql = {
    query: queryTogether((text, values) => guarded(() => between(pglite, () => run(text, values))), transaction),
    script: (text) => guarded(async () => void (await pglite.exec(text))),
  };
  const stopVacuuming = keepVacuumed({ database: statements, isQuiet: () => underWay === 0, log });
  return {
    ...statements,
    kind: 'embedded',
    transaction,
    close: async () => {
      await stopVacuuming();
      await pglite.close();
      if (dataDir !== null) markSynced(join(dataDir, 'postgres'));
      await unlock();
    },
  };
}

/** In memory nothing has a next start. */
function guard(dataDir: string | null, onFailure: OnStorageFailure) {
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      const failure = dataDir === null ? null : brokenDatabase(error, dataDir);
      if (failure) onFailure(failure);
      throw error;
    }
  };
}

async function openOnDisk(folder: string, options: PGliteOptions, onFailure: OnStorageFailure): Promise<PGlite> {
  const files = ['-c', `max_files_per_process=${maxFilesOfDatabase()}`];
  const startParams = [...PGlite.defaultStartParams, ...SYNCED, ...files];
  const known = isSynced(folder);
  const pglite = await PGlite.create({ ...options, fs: new FsyncFiles(folder, fsyncSync, onFailure), startParams });
  // Made by a program that does not sync, or copied, or restored, or left by a process that died.
  if (!known) await syncAll(folder);
  return pglite;
}

const BYTEA = 17;

/** PGlite's own way costs the one thread there is a fifth of a second for each megabyte of a label. */
const BYTES = {
  serializers: {
    [BYTEA]: (bytes: Uint8Array) =>
      `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`,
  },
  // A copy: small buffers are parts of a shared one, which must not be exposed.
  parsers: { [BYTEA]: (text: string) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex')) },
};

function within(tx: Transaction, run: Sql['query']): Sql {
  return {
    query: async (text, values) => {
      if (tx.closed) throw new Error('the transaction has ended');
      return run(text, values);
    },
    script: async (text) => {
      await tx.exec(text);
    },
  };
}

/** Whatever is said while a transaction is under way belongs to it. */
async function between<Result>(pglite: PGlite, work: () => Promise<Result>): Promise<Result> {
  await pglite._checkReady();
  return pglite._runExclusiveTransaction(work);
}
