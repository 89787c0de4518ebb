#!/usr/bin/env node
// Runs the program; builds it first where the sources are newer than what was built (never in an image, which has no
// compiler).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const BUILT_WITHIN_MS = 120_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
/** Written by the compiler when it is done. */
const stamp = join(root, 'dist', '.tsbuildinfo');
/** There while somebody builds: two at once would write into each other's files. */
const lock = join(root, 'dist', '.building');

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

function takeLock() {
  mkdirSync(join(root, 'dist'), { recursive: true });
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

function build() {
  process.stderr.write('building …\n');
  const startedAt = new Date();
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  rmdirSync(lock);
  if (status !== 0) process.exit(status ?? 1);
  utimesSync(stamp, startedAt, startedAt);
}

const giveUpAt = Date.now() + BUILT_WITHIN_MS;
while (isStale()) {
  if (takeLock()) build();
  else if (Date.now() < giveUpAt) await pause(100);
  else {
    process.stderr.write(`another build does not end; if there is none, remove ${lock}\n`);
    process.exit(1);
  }
}

await import(new URL('../dist/src/cli/main.js', import.meta.url).href);
