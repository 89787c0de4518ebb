import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/*
 * The databases of the tests lie in memory where the machine has plenty: the tests end processes, never the machine, and
 * otherwise wait a fifth of their time for a disk.
 */

const MEMORY = '/dev/shm';
const NAME = /^waybridge-(\d+)-/;
const GB = 1e9;

/** Lets this process, and the processes that it starts, make temporary files in memory. */
export function useMemory() {
  if (process.env.TMPDIR?.startsWith(MEMORY) || !hasPlenty()) return;
  removeLeftovers();
  const folder = mkdtempSync(join(MEMORY, `waybridge-${process.pid}-`));
  // Servers of the tests may run as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
}

/** For Jest's `globalTeardown`. */
export default function leaveMemory() {
  const { TMPDIR: folder = '' } = process.env;
  if (!folder.startsWith(join(MEMORY, `waybridge-${process.pid}-`))) return;
  remove(folder);
  delete process.env.TMPDIR;
}

function hasPlenty() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > 10 * GB && freemem() > 14 * GB;
  } catch {
    return false;
  }
}

/** Of runs that were killed. */
function removeLeftovers() {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(MEMORY, name));
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    process.stderr.write(`${folder} could not be removed: ${error.message}\n`);
  }
}
