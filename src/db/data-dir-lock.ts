import { createHash } from 'node:crypto';
import { mkdirSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Longest path of a Unix socket that every system takes. */
const LONGEST_SOCKET_PATH = 100;

/** Another process works in this folder. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

/**
 * Makes sure that one process at a time uses a folder: two on one embedded database lose rows. The lock is a listening
 * Unix socket, so it ends with the process, however that dies.
 * @returns gives the lock back
 * @throws DataDirInUse
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  mkdirSync(dataDir, { recursive: true });
  const path = socketPath(dataDir);
  const server = (await listen(path)) ?? (await takeOver(path));
  if (!server) {
    throw new DataDirInUse(
      `DATA_DIR ${dataDir} is used by another running process. Stop that one, give this one another DATA_DIR, or set DATABASE_URL to share one database.`,
    );
  }
  server.unref();
  return () => new Promise((done) => server.close(() => done()));
}

/** A socket file that nobody answers on is left from a process that died. */
async function takeOver(path: string): Promise<Server | null> {
  if (await answers(path)) return null;
  try {
    unlinkSync(path);
  } catch {
    // Someone else was faster; listening decides.
  }
  return listen(path);
}

function socketPath(dataDir: string): string {
  const path = join(resolve(dataDir), 'in-use.sock');
  if (path.length <= LONGEST_SOCKET_PATH) return path;
  return join(tmpdir(), `waybridge-${createHash('sha256').update(path).digest('hex').slice(0, 16)}.sock`);
}

function listen(path: string): Promise<Server | null> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(null) : fail(error)));
    server.listen(path, () => done(server));
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path, () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
