import { transformFile } from '@swc/core';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('./child/', import.meta.url));
/** Beside the built service, whose files it imports. */
const BUILT = fileURLToPath(new URL('../../dist/test/crash/child/', import.meta.url));

/** Turns the program of the child into what Node runs. @returns its path */
export async function buildChild(): Promise<string> {
  await mkdir(BUILT, { recursive: true });
  for (const name of await readdir(SOURCE)) {
    const { code } = await transformFile(join(SOURCE, name), {
      jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
      module: { type: 'es6' },
    });
    const place = join(BUILT, name.replace(/\.ts$/, '.js'));
    // Others may build it at the same time: a file is there as a whole or not at all.
    await writeFile(`${place}.${process.pid}`, code);
    await rename(`${place}.${process.pid}`, place);
  }
  return join(BUILT, 'dying-service.js');
}
