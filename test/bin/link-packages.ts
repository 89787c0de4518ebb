import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>>;
}

/** The packages that are not for development only, as an installation has them. */
export function linkPackages(root: string): void {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  for (const [path, { dev, optional }] of Object.entries(packages)) {
    if (dev || optional || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(resolve(path), join(root, path));
  }
}

/** Packages stay where they are linked, or Node would look for others beside where they really lie. */
export const AS_LINKED = ['--preserve-symlinks'];
