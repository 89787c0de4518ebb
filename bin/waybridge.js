#!/usr/bin/env node
// Runs the program; builds it first where the sources are newer than what was built (never in an image, which has no
// compiler).
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'dist', '.built');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

function newest(folder) {
  return Math.max(
    ...readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
}

function isStale() {
  if (!existsSync(compiler)) return false;
  if (!existsSync(stamp)) return true;
  const built = statSync(stamp).mtimeMs;
  return ['src', 'carriers'].some((folder) => newest(join(root, folder)) > built);
}

if (isStale()) {
  process.stderr.write('building …\n');
  const startedAt = new Date();
  const built = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
  writeFileSync(stamp, startedAt.toISOString());
}

await import(new URL('../dist/src/cli/main.js', import.meta.url).href);
