import { transformFile } from '@swc/core';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = join(ROOT, 'test/crash/child');
/** Beside the built service, whose files it imports. */
const BUILT = join(ROOT, 'dist/test/crash/child');
const PROGRAMS = ['dying-service.js', 'numbering.js'];

/**
 * Turns the program of the child into what Node runs: a bundle, as the service is one, since it is started hundreds of times.
 * @returns its path
 */
export async function buildChild(): Promise<string> {
  const folder = `dist/crash-child-${await version()}`;
  const program = join(ROOT, folder, 'dying-service.js');
  if (existsSync(program)) return program;
  await compile();
  await removeAllBut(folder);
  // Others may build it at the same time: the folder is there as a whole or not at all.
  const aside = `${folder}.${process.pid}`;
  const programs = PROGRAMS.map((name) => join(BUILT, name));
  await promisify(execFile)(process.execPath, ['bin/bundle.js', aside, ...programs], { cwd: ROOT });
  await rename(join(ROOT, aside), join(ROOT, folder)).catch(() => rm(join(ROOT, aside), { recursive: true }));
  return program;
}

/** What was bundled of other versions. */
async function removeAllBut(folder: string): Promise<void> {
  const all = await readdir(join(ROOT, 'dist'));
  const old = all.filter((name) => /^crash-child-\w+$/.test(name) && `dist/${name}` !== folder);
  await Promise.all(old.map((name) => rm(join(ROOT, 'dist', name), { recursive: true, force: true })));
}

async function compile(): Promise<void> {
  await mkdir(BUILT, { recursive: true });
  for (const name of await readdir(SOURCE)) {
    const { code } = await transformFile(join(SOURCE, name), {
      jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
      module: { type: 'es6' },
    });
    const place = join(BUILT, name.replace(/\.ts$/, '.js'));
    await writeFile(`${place}.${process.pid}`, code);
    await rename(`${place}.${process.pid}`, place);
  }
}

/**
 * Names the sources of the child, what the compiler read for the service, and the packages. Building the service anew, as another
 * test may do meanwhile, changes none of them.
 */
async function version(): Promise<string> {
  const hash = createHash('sha256');
  const sources = (await readdir(SOURCE)).sort().map((name) => join(SOURCE, name));
  for (const path of [join(ROOT, 'dist/.tsbuildinfo'), join(ROOT, 'package-lock.json'), ...sources])
    hash.update(await readFile(path));
  return hash.digest('hex').slice(0, 12);
}
