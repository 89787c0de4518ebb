import { types } from 'node:util';
import { writeSync } from 'node:fs';

/** Exit code: the embedded database cannot use its folder. */
export const STORAGE_EXIT_CODE = 74;

/** The folder of the embedded database is not usable; the message says what to do. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure';
  readonly exitCode = STORAGE_EXIT_CODE;
}

/** What an operator does about a system error, by its code. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'The disk is full: make room on it, then start the service again.'],
  ['EDQUOT', 'The quota of the disk is used up: raise it or make room, then start the service again.'],
  ['EROFS', 'The disk is read-only: mount it writable (a disk that fails may turn read-only by itself).'],
  ['EACCES', 'The user that runs the service has no permission: give it the folder and all that is in it.'],
  ['EPERM', 'The user that runs the service has no permission: give it the folder and all that is in it.'],
  ['ENOTDIR', 'It is not a folder: name a folder in DATA_DIR.'],
  ['EEXIST', 'It is not a folder: name a folder in DATA_DIR.'],
  ['EIO', 'The disk reports an error: look at the log of the system, and check the disk before the next start.'],
  ['EMFILE', 'The process has no file descriptors left: raise its limit (ulimit -n, LimitNOFILE).'],
  ['ENFILE', 'The system has no file descriptors left: raise its limit (fs.file-max), or stop what uses them.'],
]);
const OTHER_ADVICE = 'Check the disk and how it is mounted, then start the service again.';

/** Errors after which Postgres loops, ends, or returns the same error until a restart. */
const FATAL: ReadonlySet<string> = new Set([
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM'],
  ...['ENODEV', 'ENXIO', 'ESTALE', 'ENOTCONN', 'ETIMEDOUT', 'EFBIG'],
]);
const NO_PERMISSION: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);
/** Operations that some shared folders refuse; Postgres works without them. */
const DISPENSABLE: ReadonlySet<string> = new Set(['chmod', 'fchmod', 'utime', 'futime', 'lutime']);

/** A system error, as Node reports it. */
export interface SystemError extends Error {
  readonly code: string;
  readonly syscall?: string;
  readonly path?: string;
}

export function isSystemError(error: unknown): error is SystemError {
  return types.isNativeError(error) && 'code' in error && typeof error.code === 'string';
}

/** @returns why an error of a file operation ends the embedded database; `null`: Postgres handles it */
export function fatalFailure(error: unknown, folder: string): StorageFailure | null {
  if (!isSystemError(error)) return null;
  const { code, syscall = '' } = error;
  const isFatal = FATAL.has(code) || (NO_PERMISSION.has(code) && !DISPENSABLE.has(syscall));
  return isFatal ? storageFailure(folder, error) : null;
}

/** SQLSTATE of I/O errors, of missing and duplicate files, and of a full disk. */
const BROKEN_STATE = /^(58|53100)/;
const ENDED: ReadonlySet<unknown> = new Set(['PANIC', 'FATAL']);
/** The runtime's name for the end of a WebAssembly program. */
const PROGRAM_ENDED: ReadonlySet<string> = new Set(['RuntimeError', 'ExitStatus']);

/** @returns why an error of the embedded database means that no statement will succeed any more; `null`: it goes on */
export function brokenDatabase(error: unknown, folder: string): StorageFailure | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, severity, name } = error as { code?: unknown; severity?: unknown; name?: unknown };
  const isBroken = BROKEN_STATE.test(String(code)) || ENDED.has(severity) || PROGRAM_ENDED.has(String(name));
  return isBroken ? storageFailure(folder, error) : null;
}

export function storageFailure(folder: string, cause: unknown): StorageFailure {
  const said = cause instanceof Error ? cause.message : String(cause);
  const advice = (isSystemError(cause) ? ADVICE.get(cause.code) : undefined) ?? OTHER_ADVICE;
  return new StorageFailure(`DATA_DIR ${folder} cannot be used: "${said}". ${advice}`, { cause });
}

/** Reacts to failed storage: ends the process. Tests record the failure instead. */
export type OnStorageFailure = (failure: StorageFailure) => void;

/**
 * Ends the process at once: the next start goes on from what is on disk. Writes directly to the outputs, because the
 * log may have lines waiting.
 */
export const endProcess: OnStorageFailure = ({ message }) => {
  const line = { level: 'error', message: 'storage failed', error: message, exitCode: STORAGE_EXIT_CODE };
  writeLast(`${JSON.stringify({ ...line, timestamp: new Date().toISOString() })}\n`);
  process.exit(STORAGE_EXIT_CODE);
};

/** Standard output may be a file on the same full disk, or a pipe without a reader. */
function writeLast(line: string): void {
  for (const descriptor of [1, 2]) {
    try {
      writeSync(descriptor, line);
      return;
    } catch {
      // Writes to the other output instead.
    }
  }
}
