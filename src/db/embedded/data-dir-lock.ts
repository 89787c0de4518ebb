import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { StorageFailure, storageFailure } from './storage-failure.js';

/** The locked byte lies behind the text of the file, because some systems forbid reading locked bytes. */
const LOCKED_BYTE = 2 ** 30;
const CHECK_EVERY_MS = 250;
/** Attempts to lock the file; another process may replace it between opening and locking. */
const MAX_ATTEMPTS = 10;

/** Another process works in this folder. */
class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

/**
 * Makes sure that one process at a time uses a folder, because two processes on one embedded database lose rows. The
 * kernel locks a file in the folder: the lock ends with the process, however that ends, and does not depend on process
 * names, networks or temporary folders. The file is never removed: the next process would lock a new file while another
 * process still holds the old one.
 * @param onLost called once, when this process has lost the folder: its lock file was removed, replaced or taken over
 * @returns a function that releases the lock
 * @throws DataDirInUse
 * @throws StorageFailure the folder cannot be written, or its file system has no locks
 */
export async function lockDataDir(
  dataDir: string,
  onLost: (failure: StorageFailure) => void,
): Promise<() => Promise<void>> {
  const path = join(dataDir, 'in-use.lock');
  const descriptor = inFolder(dataDir, () => {
    makeFolder(dataDir);
    return openLocked(path);
  });
  if (descriptor === null || (await answersOnSocket(dataDir))) {
    if (descriptor !== null) closeSync(descriptor);
    throw new DataDirInUse(
      `DATA_DIR ${dataDir} is used by another running process. Stop that one, give this one another DATA_DIR, or set DATABASE_URL to share one database.`,
    );
  }
  const token = inFolder(dataDir, () => {
    requireLocks(path);
    return writeToken(descriptor);
  });
  const timer = setInterval(() => {
    if (isOurs(path, descriptor, token)) return;
    clearInterval(timer);
    onLost(
      new StorageFailure(
        `DATA_DIR ${dataDir} is no longer ours: its file in-use.lock was removed, replaced or taken over. Make sure that one process uses the folder, then start it again.`,
      ),
    );
  }, CHECK_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    closeSync(descriptor);
  };
}

/**
 * Looks whether a running process uses a folder, and writes nothing. The lock is taken for a moment where it is free.
 * @throws StorageFailure the lock file cannot be opened for writing
 */
export async function isDataDirInUse(dataDir: string): Promise<boolean> {
  const path = join(dataDir, 'in-use.lock');
  const locked = inFolder(dataDir, () => {
    if (!existsSync(path)) return false;
    const descriptor = openSync(path, constants.O_RDWR);
    const isFree = lockOf(descriptor);
    closeSync(descriptor);
    return !isFree;
  });
  return locked || answersOnSocket(dataDir);
}

function inFolder<Result>(dataDir: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof StorageFailure ? error : storageFailure(dataDir, error);
  }
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch {
    // On a read-only disk, Node reports the folder as missing; this call reports the reason.
    mkdirSync(dataDir);
  }
}

/** @returns `null`: another process has it */
function openLocked(path: string): number | null {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644);
    if (!lockOf(descriptor)) {
      closeSync(descriptor);
      return null;
    }
    if (isSameFile(path, descriptor)) return descriptor;
    closeSync(descriptor);
  }
  throw new Error(`${path} is replaced again and again`);
}

function lockOf(descriptor: number): boolean {
  try {
    return tryLock(descriptor, LOCKED_BYTE, 1);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Detects a file system that grants one lock twice. */
function requireLocks(path: string): void {
  const second = openSync(path, constants.O_RDWR);
  try {
    if (!tryLock(second, LOCKED_BYTE, 1)) return;
  } finally {
    closeSync(second);
  }
  throw new StorageFailure(
    `DATA_DIR cannot be used: the file system of ${path} does not keep locks, so two processes could use the folder. Put it on a local disk.`,
  );
}

/** The text always has the same length, so that rewriting it also works on a full disk. */
function writeToken(descriptor: number): string {
  const token = randomUUID();
  writeSync(
    descriptor,
    `${token}\nLocked by the process that uses this folder, for as long as it runs. Never remove it.\n`,
    0,
  );
  return token;
}

function isOurs(path: string, descriptor: number, token: string): boolean {
  const read = Buffer.alloc(token.length);
  try {
    return isSameFile(path, descriptor) && readSync(descriptor, read, 0, read.length, 0) > 0 && String(read) === token;
  } catch {
    return false;
  }
}

function isSameFile(path: string, descriptor: number): boolean {
  const [named, held] = [
    statSync(path, { bigint: true, throwIfNoEntry: false }),
    fstatSync(descriptor, { bigint: true }),
  ];
  return named !== undefined && named.ino === held.ino && named.dev === held.dev;
}

const MAX_SOCKET_PATH = 100;

/** Versions before 22 November 2026 listened on a socket instead of locking; such a process may still run. */
function answersOnSocket(dataDir: string): Promise<boolean> {
  const path = join(resolve(dataDir), 'in-use.sock');
  const elsewhere = `waybridge-${createHash('sha256').update(path).digest('hex').slice(0, 16)}.sock`;
  return new Promise((done) => {
    const socket = connect(path.length <= MAX_SOCKET_PATH ? path : join(tmpdir(), elsewhere), () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
