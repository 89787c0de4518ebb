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
/** What the library's way to node's files consists of, as far as it is needed here. */
interface NodeFiles {
  readonly realPath: (node: unknown) => string;
  /** Every operation on a file of the system goes through it. */
  tryFSOperation: <Result>(work: () => Result) => Result;
  readonly stream_ops: { fsync?: (stream: Stream) => number; write: Write };
}

/** Stream, buffer, offset, length, position. @returns how much of the length was written */
type Write = (...given: readonly [Stream, Uint8Array, number, number, number?]) => number;

/** Error numbers as the embedded Postgres knows them. */
const EINVAL = 28;
const EIO = 29;

/** For Postgres, which the library starts without `fsync`, its files having none; `fdatasync` does nothing even so. */
export const SYNCED = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'] as const;

/** A folder for the embedded Postgres in which a file is on disk when Postgres asks for that. Blocks as long as it takes. */
export class FsyncFiles extends NodeFS {
  /**
   * @param sync of an open file
   * @param onFailure hears of what Postgres does not recover from, before Postgres does
   */
  constructor(
    private readonly folder: string,
    private readonly sync: (descriptor: number) => void = fsyncSync,
    private readonly onFailure: OnStorageFailure = endProcess,
  ) {
    super(folder);
  }

  /** @throws when the library has no such files any more: nothing may be promised then */
  override async init(...given: Init): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given);
    const syncing = (module: unknown) => {
      const files = nodeFilesOf(module);
      files.stream_ops.fsync = (stream) => this.synced(stream, files);
      this.watch(files);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), syncing] } };
  }

  /** In this build Postgres spins, or stays broken, where it would end with an error of its disk. */
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
      // The rest of a write that a full disk has cut short would be refused.
      if (written < length) this.onFailure(storageFailure(this.folder, outOfSpace()));
      return written;
    };
  }

  /** Whatever it answers besides 0, of a file, ends Postgres: what it confirmed may be lost then. */
  private synced({ nfd, node }: Stream, files: NodeFiles): number {
    // Not every system can sync a folder, which Postgres knows.
    if (nfd === undefined) return syncFolder(files.realPath(node)) ? 0 : EINVAL;
    try {
      this.sync(nfd);
      return 0;
    } catch (error) {
      // Whatever it was: what the system has not written it may have forgotten, and a second try would succeed.
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

/** For a folder that was made, copied or used without syncing: afterwards all of it is on disk. */
export async function syncAll(folder: string): Promise<void> {
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (entry.isFile()) syncPath(join(entry.parentPath, entry.name));
    else if (entry.isDirectory()) syncFolder(join(entry.parentPath, entry.name));
  }
  syncFolder(folder);
}

/** Postgres writes it whenever it starts, makes a checkpoint or stops. */
const CONTROL_FILE = 'global/pg_control';

/** For a folder that Postgres was stopped in, so that all of it is on disk: the next start need not sync it again. */
export function markSynced(folder: string): void {
  try {
    writeFileSync(markOf(folder), stateOf(folder) ?? '');
  } catch {
    // Without the mark it is synced again, which only takes time.
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
