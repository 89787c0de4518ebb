import { spawnSync } from 'node:child_process';
import { bundlePackages } from './bundled-packages.js';
import { useMemory } from './in-memory.js';

/** Tests that start the program in a process of its own shall find it built. */
export default async function buildOnce() {
  const { status } = spawnSync(process.execPath, ['bin/waybridge.js', '--help'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('the program cannot be built');
  await bundlePackages();
  useMemory();
}
