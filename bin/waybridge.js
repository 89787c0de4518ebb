#!/usr/bin/env node
// Runs the program; builds it first where the sources are newer than what was built (never in an image, which has no
// compiler).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const BUILT_WITHIN_MS = 120_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
/** As `npm run build`. */
const steps = [[compiler, '-p', join(root, 'tsconfig.build.json')], [join(root, 'bin', 'bundle.js')]];
/** Written when the last step is done. */
const stamp = join(root, 'dist', '.built');
/** There while somebody builds, with the id of the process: two at once would write into each other's files. */
const lock = join(root, 'dist', '.building');

function newest(folder) {
  return Math.max(
    ...readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
}

/** Also when other packages were installed, or are put in differently: they are part of what was built. */
function isStale() {
  if (!existsSync(compiler)) return false;
  if (!existsSync(stamp)) return true;
  const built = statSync(stamp).mtimeMs;
  const others = ['bin/bundle.js', 'node_modules/.package-lock.json'].map((file) => join(root, file));
  return (
    ['src', 'carriers'].some((folder) => newest(join(root, folder)) > built) ||
    others.some((file) => existsSync(file) && statSync(file).mtimeMs > built)
  );
}

function takeLock() {
  mkdirSync(join(root, 'dist'), { recursive: true });
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    removeAbandonedLock();
    return false;
  }
}

/** Whoever is killed leaves its lock behind. */
function removeAbandonedLock() {
  const holder = holderOf(lock);
  if (holder === null || isAlive(holder)) return;
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    // Somebody else may have been quicker, and this is the lock of one that builds by now.
    if (holderOf(aside) === holder) rmSync(aside, { recursive: true });
    else renameSync(aside, lock);
  } catch {
    // It is gone already.
  }
}

/** `null`: it is gone, or was taken this moment. 0: nobody, as its id was never written. */
function holderOf(path) {
  try {
    const isOld = Date.now() - statSync(path).mtimeMs > BUILT_WITHIN_MS;
    const id = statSync(path).isDirectory() ? 0 : Number(readFileSync(path, 'utf8'));
    return id > 0 || isOld ? id : null;
  } catch {
    return null;
  }
}

function isAlive(id) {
  if (id === 0) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

async function build() {
  process.stderr.write('building …\n');
  const startedAt = new Date();
  let status = 0;
  for (const step of steps) if (status === 0) status = await run(step);
  if (status === 0) utimesSync(stamp, startedAt, startedAt);
  rmSync(lock, { force: true });
  if (status !== 0) process.exit(status ?? 1);
}

/** Ends with it, and leaves nothing behind, when a signal comes. */
async function run(step) {
  const child = spawn(process.execPath, step, { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const stop = (signal) => {
    child.kill('SIGKILL');
    rmSync(lock, { force: true });
    for (const each of signals) process.off(each, stop);
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, stop);
  const [status] = await once(child, 'exit');
  for (const signal of signals) process.off(signal, stop);
  return status;
}

const giveUpAt = Date.now() + BUILT_WITHIN_MS;
while (isStale()) {
  if (takeLock()) await build();
  else if (Date.now() < giveUpAt) await pause(100);
  else {
    process.stderr.write(`another build does not end; if there is none, remove ${lock}\n`);
    process.exit(1);
  }
}

await import(new URL('../dist/bundle/main.js', import.meta.url).href);
