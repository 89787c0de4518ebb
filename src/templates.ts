import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Beside `src` where the sources run, beside `dist` where they were built. */
const FOLDER = ['../templates/ims/', '../../templates/ims/']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path));

/** Where the texts to workers and the body of `printResource` are; ends in a slash. @throws Error they are missing */
export function templatesFolder(): string {
  if (FOLDER === undefined) throw new Error('the folder templates/ is missing beside the program');
  return FOLDER;
}
