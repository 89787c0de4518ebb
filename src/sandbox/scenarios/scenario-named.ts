import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { programFolder } from '../../program-files.js';

const ENDING = '.yaml';

const FOLDER = 'src/sandbox/scenarios/';

/**
 * Reads the text of a scenario file.
 * @param nameOrPath the name of a bundled scenario, or the path of a file, relative to the working directory
 * @throws Error with the names of the bundled scenarios when it cannot read the file
 */
export function scenarioNamed(nameOrPath: string): string {
  const bundled = scenarioNames().includes(nameOrPath);
  const path = bundled ? `${bundledFolder()}${nameOrPath}${ENDING}` : nameOrPath;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (isFolder(path)) throw new Error(`"${nameOrPath}" is a folder: give the path of a file in it.`, { cause });
    const names = scenarioNames().join(', ');
    throw new Error(`There is no scenario "${nameOrPath}". There are ${names}, or give the path of a file.`, { cause });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Names of the bundled scenarios, in alphabetical order. */
export function scenarioNames(): readonly string[] {
  const folder = bundledFolder();
  if (folder === null) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort();
}

/** `null`: the program was installed without the bundled scenarios. */
function bundledFolder(): string | null {
  const folder = `${programFolder()}${FOLDER}`;
  return existsSync(folder) ? folder : null;
}
