import { readFileSync } from 'node:fs';

/** Where the system does not say how many files a process may open. */
const FILES_UNKNOWN = 1_024;
/** Postgres refuses to start with fewer. */
const FEWEST_OF_DATABASE = 64;
/** Without a setting of it Postgres keeps as many. */
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

/** A quarter is for the embedded Postgres, which would otherwise keep every file open that it has ever used. */
export function maxFilesOfDatabase(maxFiles = maxOpenFiles()): number {
  return Math.max(FEWEST_OF_DATABASE, Math.min(MAX_OF_DATABASE, Math.floor(maxFiles / 4)));
}
