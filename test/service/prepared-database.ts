import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbedded } from '../../src/db/embedded.js';

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/**
 * Puts an empty database where the service will look for it. Making one takes seconds of computing, copying one a moment:
 * so the first test that needs one makes it for all of them.
 */
export async function placeEmptyDatabase(dataDir: string): Promise<void> {
  const prepared = await preparedDatabase();
  await mkdir(dataDir, { recursive: true });
  await cp(prepared, join(dataDir, 'postgres'), { recursive: true });
}

async function preparedDatabase(): Promise<string> {
  const cache = join(MODULES, '.cache', 'waybridge-test');
  const about = JSON.parse(await readFile(join(MODULES, '@electric-sql', 'pglite', 'package.json'), 'utf8'));
  const prepared = join(cache, `pglite-${about.version}`);
  if (await exists(prepared)) return prepared;
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(join(cache, 'making-'));
  await (await openEmbedded(made)).close();
  // Somebody else may have been faster: theirs is as good.
  await rename(join(made, 'postgres'), prepared).catch(() => undefined);
  await rm(made, { recursive: true, force: true });
  return prepared;
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
