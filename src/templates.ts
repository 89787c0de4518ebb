import { existsSync } from 'node:fs';
import { programFolder } from './program-folder.js';

/** Where the texts to workers and the body of `printResource` are; ends in a slash. @throws Error they are missing */
export function templatesFolder(): string {
  const folder = `${programFolder()}templates/ims/`;
  if (!existsSync(folder)) throw new Error('the folder templates/ is missing beside the program');
  return folder;
}
