// Where and of what figures were taken.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findPostgres } from './postgres.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export function machineFacts() {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    pglite: packageVersion('@electric-sql/pglite'),
    postgres: postgresVersion(),
    ...commit(),
    /** Load of the minute before. Above 0, other programs were using the machine. */
    loadBefore: Math.round(loadavg()[0] * 100) / 100,
  };
}

/** Read as a file: the package does not export its own description. */
function packageVersion(name) {
  return JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version;
}

/** `null`: there is none here. */
function postgresVersion() {
  const bin = findPostgres();
  return bin && execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).trim();
}

/** `changed`: the sources are not those of the commit. */
function commit() {
  try {
    const changed = git('status', '--porcelain', '--', 'src', 'carriers', 'templates', 'package-lock.json') !== '';
    return { commit: git('rev-parse', '--short=10', 'HEAD'), changed };
  } catch {
    return { commit: 'unknown', changed: false };
  }
}

function git(...words) {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
