import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const mayMount = (() => {
  const path = mkdtempSync(join(tmpdir(), 'waybridge-may-mount-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', path]).status === 0;
  if (mounted) spawnSync('umount', [path]);
  rmSync(path, { recursive: true });
  return mounted;
})();

/** A disk of its own, of so many megabytes, in a folder. @returns its path */
export function disk(folder: string, name: string, megabytes: number): string {
  const path = join(folder, name);
  mkdirSync(path);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  if (status !== 0) throw new Error('mount does not work any more');
  return path;
}

export function unmount(path: string): void {
  spawnSync('umount', [path]);
}

/** @returns whether the system did so */
export function remount(path: string, how: 'ro' | 'rw'): boolean {
  return spawnSync('mount', ['-o', `remount,${how}`, path]).status === 0;
}

/** Leaves no byte. */
export function fill(path: string): void {
  spawnSync('dd', ['if=/dev/zero', `of=${join(path, 'filler')}`, 'bs=4096', 'status=none'], { stdio: 'ignore' });
}

/** Leaves so much of it free, from 0 to 1. */
export function fillBut(path: string, free: number): void {
  const { bavail, blocks, bsize } = statfsSync(path);
  writeFileSync(join(path, 'filler'), Buffer.alloc(Math.floor((bavail - free * blocks) * bsize)));
}

export function makeRoom(path: string): void {
  rmSync(join(path, 'filler'), { force: true });
}
