import { readFileSync } from 'node:fs';

/** Used when the system does not report how many files a process may open. */
const FILES_UNKNOWN = 1_024;
/** The minimum with which Postgres starts. */
const FEWEST_OF_DATABASE = 64;
/** The default of Postgres. */
const MAX_OF_DATABASE = 1_000;

/** How many files this process may open, connections included. */
export function maxOpenFiles(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? FILES_UNKNOWN : Number(soft);
  } catch {
    return FILES_UNKNOWN;
  }
}

/** The embedded Postgres may use a quarter; without a limit it keeps every file open that it has used. */
export function maxFilesOfDatabase(maxFiles = maxOpenFiles()): number {
  return Math.max(FEWEST_OF_DATABASE, Math.min(MAX_OF_DATABASE, Math.floor(maxFiles / 4)));
}
