import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { STORAGE_EXIT_CODE } from './storage-failure.js';

/** The database is another user's. The files that we would make in it, the service of that user could not open. */
export class OfAnotherUser extends Error {
  override readonly name = 'OfAnotherUser';
  readonly exitCode = STORAGE_EXIT_CODE;
}

/**
 * @param command the command that would open the embedded database
 * @throws OfAnotherUser
 */
export function requireOwn(dataDir: string, command: string): void {
  const folder = resolve(join(dataDir, 'postgres'));
  const [owner, own] = [ownerOf(folder), process.getuid?.()];
  // Windows has no such users.
  if (owner === undefined || own === undefined || owner === own) return;
  throw new OfAnotherUser(
    `the folder ${folder} of the database belongs to the user with id ${owner}, while ${command} runs as ${own}: run ${command} as that user`,
  );
}

/** @returns `undefined`: there is none; who opens the folder then finds what is in its place */
function ownerOf(folder: string): number | undefined {
  try {
    return statSync(folder).uid;
  } catch {
    return undefined;
  }
}
