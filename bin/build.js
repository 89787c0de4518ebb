// Builds the program: compiles it and bundles it. `npm run build` does so always, `bin/waybridge.js` where something is newer
// than what was built. One at a time: two at once would write into each other's files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
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
/** Builds again when a source changed during the build. The number is bounded because a file may have a time in the future. */
const MAX_BUILDS = 2;

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const bundler = join(root, 'bin', 'bundle.js');
const program = join(root, 'dist', 'bundle', 'main.js');
/** Exists when the build is complete. Its time is when the build began. */
const stamp = join(root, 'dist', '.built');
/** Lock file of a running build; holds the id of its process. */
const lock = join(root, 'dist', '.building');
const sources = ['src', 'carriers'].map((folder) => join(root, folder));
/** What the build depends on besides sources: the installed packages and the files that bundle them. */
const others = ['bin/bundle.js', 'node_modules/.package-lock.json', 'tsconfig.json', 'tsconfig.build.json'].map(
  (file) => join(root, file),
);

/** Ends the process when the build fails. Without a compiler, as in an image, it does nothing. */
export async function buildIfStale() {
  const giveUpAt = Date.now() + BUILT_WITHIN_MS;
  for (let builds = 0; builds < MAX_BUILDS && isStale();)
    if (takeLock()) {
      builds += 1;
      await buildLocked();
    } else await waitForOther(giveUpAt);
}

async function build() {
  const giveUpAt = Date.now() + BUILT_WITHIN_MS;
  while (!takeLock()) await waitForOther(giveUpAt);
  await buildLocked();
}

function isStale() {
  if (!existsSync(compiler)) return false;
  if (!existsSync(stamp) || !existsSync(program)) return true;
  const built = statSync(stamp).mtimeMs;
  return sources.some((folder) => newest(folder) > built) || others.some((file) => changedAt(file) > built);
}

function newest(folder) {
  return Math.max(
    ...readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
}

function changedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function takeLock() {
  try {
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') giveUp(`the program has to be built, and cannot be: ${error.message}`);
    removeAbandonedLock();
    return false;
  }
}

/** Removes the lock file of a build that was killed. */
function removeAbandonedLock() {
  const holder = holderOf(lock);
  if (holder === null || isAlive(holder)) return;
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    // Another process may have removed it already; then this lock file belongs to a running build.
    if (holderOf(aside) === holder) rmSync(aside, { recursive: true });
    else renameSync(aside, lock);
  } catch {
    // It is gone already.
  }
}

/** @returns the process id; `null`: the file is gone or was just created; 0: the id was never written */
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

async function waitForOther(giveUpAt) {
  if (Date.now() < giveUpAt) return await pause(100);
  giveUp(`another build does not end; if there is none, remove ${lock}`);
}

function giveUp(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

async function buildLocked() {
  process.stderr.write('building …\n');
  const startedAt = new Date();
  rmSync(stamp, { force: true });
  let status = 0;
  for (const step of [[compiler, '-p', join(root, 'tsconfig.build.json')], [bundler]])
    if (status === 0) status = await run(step);
  if (status === 0) {
    writeFileSync(stamp, '');
    utimesSync(stamp, startedAt, startedAt);
  }
  rmSync(lock, { force: true });
  if (status !== 0) process.exit(status ?? 1);
}

/** Ends with this process when a signal ends it. */
async function run(words) {
  const child = spawn(process.execPath, words, { stdio: 'inherit' });
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

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) await build();
