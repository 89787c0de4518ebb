import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { type OnStorageFailure, endProcess, fatalFailure, storageFailure } from './storage-failure.js';

type Init = Parameters<NodeFS['init']>;
/** A file that the embedded Postgres has open; without a descriptor it is a folder. */
interface Stream {
  readonly nfd?: number;
  readonly node: unknown;
}
/** The parts of PGlite's Node file system that this file changes. */
interface NodeFiles {
  readonly realPath: (node: unknown) => string;
  /** PGlite calls it for every file operation. */
  tryFSOperation: <Result>(work: () => Result) => Result;
  readonly stream_ops: { fsync?: (stream: Stream) => number; write: Write };
}

/** Stream, buffer, offset, length, position. @returns how much of the length was written */
type Write = (...given: readonly [Stream, Uint8Array, number, number, number?]) => number;

/** Error numbers as the embedded Postgres knows them. */
const EINVAL = 28;
const EIO = 29;

/** PGlite starts Postgres with `fsync` off; in its build `fdatasync` does nothing. */
export const SYNCED = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'] as const;

/**
 * The folder of the embedded Postgres, in which `fsync` of Postgres syncs the file to disk. Blocks the thread
 * meanwhile.
 */
export class FsyncFiles extends NodeFS {
  /**
   * @param sync syncs an open file
   * @param onFailure called with an error from which Postgres does not recover, before Postgres sees it
   */
  constructor(
    private readonly folder: string,
    private readonly sync: (descriptor: number) => void = fsyncSync,
    private readonly onFailure: OnStorageFailure = endProcess,
  ) {
    super(folder);
  }

  /** @throws when PGlite has another file system by now: the guarantees would not hold */
  override async init(...given: Init): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given);
    const syncing = (module: unknown) => {
      const files = nodeFilesOf(module);
      files.stream_ops.fsync = (stream) => this.synced(stream, files);
      this.watch(files);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), syncing] } };
  }

  /** A disk error ends a Postgres server; in this build Postgres loops or stays broken. */
  private watch(files: NodeFiles): void {
    const { tryFSOperation, stream_ops: streams } = files;
    const { write } = streams;
    files.tryFSOperation = (work) =>
      tryFSOperation(() => {
        try {
          return work();
        } catch (error) {
          const failure = fatalFailure(error, this.folder);
          if (failure) this.onFailure(failure);
          throw error;
        }
      });
    streams.write = (...given) => {
      const written = write(...given);
      const [, , , length] = given;
      // A short write means a full disk: Postgres would try to write the rest, and fail.
      if (written < length) this.onFailure(storageFailure(this.folder, outOfSpace()));
      return written;
    };
  }

  /** Postgres ends when a file cannot be synced, because confirmed commits may be lost. */
  private synced({ nfd, node }: Stream, files: NodeFiles): number {
    // Some systems cannot sync a folder; Postgres expects that.
    if (nfd === undefined) return syncFolder(files.realPath(node)) ? 0 : EINVAL;
    try {
      this.sync(nfd);
      return 0;
    } catch (error) {
      // Every error counts: the system may have dropped the unwritten data, and a second sync would report success.
      this.onFailure(storageFailure(this.folder, error));
      return EIO;
    }
  }
}

function outOfSpace(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}

function nodeFilesOf(module: unknown): NodeFiles {
  const files: unknown = isRecord(module) ? module['NODEFS'] : undefined;
  if (!isNodeFiles(files)) throw new Error('the embedded database cannot sync its files with this version of PGlite');
  return files;
}

function isNodeFiles(value: unknown): value is NodeFiles {
  return (
    isRecord(value) &&
    typeof value['realPath'] === 'function' &&
    typeof value['tryFSOperation'] === 'function' &&
    isRecord(value['stream_ops']) &&
    typeof value['stream_ops']['write'] === 'function'
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Syncs the whole folder, for one that was made, copied or used without syncing. */
export async function syncAll(folder: string): Promise<void> {
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (entry.isFile()) syncPath(join(entry.parentPath, entry.name));
    else if (entry.isDirectory()) syncFolder(join(entry.parentPath, entry.name));
  }
  syncFolder(folder);
}

/** Postgres writes this file at each start, checkpoint and stop. */
const CONTROL_FILE = 'global/pg_control';

/** Marks the folder of a stopped Postgres as synced, so that the next start does not sync it again. */
export function markSynced(folder: string): void {
  try {
    writeFileSync(markOf(folder), stateOf(folder) ?? '');
  } catch {
    // Without the mark, the next start syncs the folder again, which only takes time.
  }
}

/** Whether the folder is unchanged since it was marked, and not a copy. */
export function isSynced(folder: string): boolean {
  const state = stateOf(folder);
  try {
    return state !== null && readFileSync(markOf(folder), 'utf8') === state;
  } catch {
    return false;
  }
}

function markOf(folder: string): string {
  return `${folder}.synced`;
}

/**
 * The identity and times of the folder's files: a copy has other files, and a write changes the times. `null`: there is
 * no database.
 */
function stateOf(folder: string): string | null {
  const found = statSync(join(folder, CONTROL_FILE), { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : [found.dev, found.ino, found.mtimeNs, found.ctimeNs].join(' ');
}

/** @returns whether this system can */
function syncFolder(path: string): boolean {
  try {
    syncPath(path);
    return true;
  } catch {
    return false;
  }
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
