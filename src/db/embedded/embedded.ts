import { PGlite, type Transaction } from '@electric-sql/pglite';
import { fsyncSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type Log, silentLog } from '../../log.js';
import { lockDataDir } from './data-dir-lock.js';
import type { Database, Sql } from '../database.js';
import { maxFilesOfDatabase } from '../open-files.js';
import { type RunStatements, preparedStatements } from './prepared-statements.js';
import { type OnStorageFailure, brokenDatabase, endProcess } from './storage-failure.js';
import { SYNCED, FsyncFiles, isSynced, markSynced, syncAll } from './fsync-files.js';
import { plainValues } from '../sealing/personal.js';
import { withGroupCommit } from './group-commit.js';
import { keepInOrder } from './upkeep.js';

/** The WebAssembly of the package is validated function by function, when one first runs: all of it takes a start 0.1 s of the processor. */
setFlagsFromString('--wasm-lazy-validation');
/**
 * A function of it is compiled for speed only after it has run four times as much as V8 would have it (1,800,000). Else a start spends
 * 0.4 s of the processor on compiling what bookings may never run again.
 */
setFlagsFromString('--wasm-tiering-budget=7200000');

/**
 * How much of its tables Postgres keeps in memory. It would take 128 MB, and write zeros over all of it at each start. The system keeps in
 * memory what was read from files of late.
 */
const PAGES_IN_MEMORY = ['-c', 'shared_buffers=32MB'] as const;

interface Around {
  /** Called when the storage has failed; the process must end then. */
  readonly onFailure?: OnStorageFailure;
  readonly log?: Log;
  /** Syncs an open file. A test whose folder need not survive a power failure gives one that does nothing. */
  readonly sync?: (descriptor: number) => void;
}

/**
 * Postgres inside this process, kept in a folder. Every commit is synced to disk before it returns, so that it survives
 * a power failure.
 * @throws DataDirInUse
 * @throws StorageFailure
 */
export async function openEmbedded(
  dataDir: string,
  { onFailure = endProcess, log = silentLog, sync = fsyncSync }: Around = {},
): Promise<Database> {
  const unlock = await lockDataDir(dataDir, onFailure);
  const folder = join(dataDir, 'postgres');
  const pglite = await openFolder(new FsyncFiles(folder, sync, onFailure), folder);
  const prepared = preparedStatements(pglite);
  const run: typeof prepared = (all) =>
    prepared(all.map(({ text, values }) => ({ text, values: plainValues(values) })));
  let underWay = 0;
  let isClosed = false;
  const checked = guard(dataDir, onFailure);
  const guarded: typeof checked = async (work) => {
    // PGlite would run what waits behind its close in a Postgres that has stopped, which may loop for ever.
    if (isClosed) throw new Error('the embedded database is closed');
    underWay += 1;
    return checked(work).finally(() => (underWay -= 1));
  };
  const transaction: Database['transaction'] = (work) =>
    guarded(() => pglite.transaction((tx) => work(within(tx, run))));
  const statements: Sql = {
    query: withGroupCommit((all) => guarded(() => between(pglite, () => run(all)))),
    script: (text) => guarded(async () => void (await pglite.exec(text))),
  };
  const stopVacuuming = keepInOrder({ database: statements, isQuiet: () => underWay === 0, log });
  return {
    ...statements,
    kind: 'embedded',
    transaction,
    close: async () => {
      await stopVacuuming();
      // Ends after every statement that came before it: one of them may store what a carrier answered.
      await statements.query('select 1').catch(() => undefined);
      isClosed = true;
      await pglite.close();
      markSynced(folder);
      await unlock();
    },
  };
}

/** Calls `onFailure` when the folder has failed. */
function guard(dataDir: string, onFailure: OnStorageFailure) {
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      const failure = brokenDatabase(error, dataDir);
      if (failure) onFailure(failure);
      throw error;
    }
  };
}

async function openFolder(fs: FsyncFiles, folder: string): Promise<PGlite> {
  const files = ['-c', `max_files_per_process=${maxFilesOfDatabase()}`];
  const startParams = [...PGlite.defaultStartParams, ...PAGES_IN_MEMORY, ...SYNCED, ...files];
  const known = isSynced(folder);
  const pglite = await PGlite.create({ ...BYTES, relaxedDurability: false, fs, startParams });
  // The folder was made by a program that does not sync, was copied or restored, or its process died.
  if (!known) await syncAll(folder);
  return pglite;
}

const BYTEA = 17;

/** Replaces PGlite's parser, which blocks the only thread for 0.2 s for each megabyte of a label. */
const BYTES = {
  serializers: {
    [BYTEA]: (bytes: Uint8Array) =>
      `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`,
  },
  // Copies the bytes: a small buffer is a part of a shared one, which must not be exposed.
  parsers: { [BYTEA]: (text: string) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex')) },
};

function within(tx: Transaction, run: RunStatements): Sql {
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      if (tx.closed) throw new Error('the transaction has ended');
      const rowsOf = await run([{ text, values }]);
      // The caller gives the type of the rows, as with every query.
      return rowsOf(0) as readonly Row[];
    },
    script: async (text) => {
      await tx.exec(text);
    },
  };
}

/** Every statement during a transaction belongs to it. */
async function between<Result>(pglite: PGlite, work: () => Promise<Result>): Promise<Result> {
  await pglite._checkReady();
  return pglite._runExclusiveTransaction(work);
}
