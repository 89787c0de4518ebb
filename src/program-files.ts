import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Above `src` where the sources run, above `dist/bundle` or `dist/src` where they were built. */
const FOLDER = ['../', '../../']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(`${path}package.json`));

/** Where the program is, with `templates`, `dist` and its package.json; ends in a slash. @throws Error there is no such folder */
export function programFolder(): string {
  if (FOLDER === undefined) throw new Error('package.json is missing where the program is');
  return FOLDER;
}

/** Where `npm run build` puts the program; ends in a slash. */
export function bundleFolder(): string {
  return `${programFolder()}dist/bundle/`;
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

/** Reads files that an operator may change: those in `templates/labels`, and others by their absolute path. */
export const operatorFiles = {
  /** @throws Error naming the file: it is missing, unreadable or has more bytes */
  read(name: string, maxBytes: number): Uint8Array {
    const path = isAbsolute(name) ? name : join(programFolder(), 'templates', 'labels', name);
    try {
      return readWhole(path, maxBytes);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new Error(`${path} cannot be read (${code ?? message})`, { cause: error });
    }
  },
};

function readWhole(path: string, maxBytes: number): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error('it is no file');
    if (stat.size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
