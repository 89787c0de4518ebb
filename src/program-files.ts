import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** From `src` where the sources run, from `dist/bundle` or `dist/src` where they were built. */
const FOLDER = ['../', '../../']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(`${path}package.json`));

/** Where the program is, with `templates`, `dist` and its package.json; ends in a slash. @throws Error there is no such folder */
export function programFolder(): string {
  if (FOLDER === undefined) throw new Error('package.json is missing where the program is');
  return FOLDER;
}

/** Templates of the dashboard's pages. */
export function pagesFolder(): string {
  return `${programFolder()}templates/pages/`;
}

/** Styles and scripts of the dashboard. */
export function assetsFolder(): string {
  return `${programFolder()}templates/assets/`;
}

/** Where the texts to workers and the body of `printResource` are; ends in a slash. @throws Error they are missing */
export function templatesFolder(): string {
  const folder = `${programFolder()}templates/ims/`;
  if (!existsSync(folder)) throw new Error('the folder templates/ is missing beside the program');
  return folder;
}
