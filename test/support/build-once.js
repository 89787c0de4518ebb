import { spawnSync } from 'node:child_process';

/** Tests that start the program in a process of its own shall find it built. */
export default function buildOnce() {
  const { status } = spawnSync(process.execPath, ['bin/waybridge.js', '--help'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('the program cannot be built');
}
