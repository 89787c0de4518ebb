import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StarterOptions, type Starter, mayHaveNamespaces, starter } from './starters.js';

/** `STARTER_PAIRS=1000` has them all, which takes some minutes. */
const PAIRS = Number(process.env['STARTER_PAIRS'] ?? 60);
const FOLDERS_AT_ONCE = 4;
const MAX_RUN_MS = 30 * 60_000;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-lock-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const namespaces = mayHaveNamespaces();
if (!namespaces)
  process.stderr.write('starters in namespaces of their own: skipped, this machine does not allow unshare\n');

/** What differs from pair to pair. */
function transitionContext(n: number): readonly [StarterOptions, StarterOptions] {
  const place = namespaces && n % 3 === 2 ? 'in namespaces of its own' : 'here';
  const temporary = (name: string) => {
    const path = join(folder, `temporary-${name}`);
    mkdirSync(path, { recursive: true });
    return path;
  };
  return [
    { temporary: temporary('one'), place },
    { temporary: temporary('other'), place },
  ];
}

interface Outcome {
  readonly winners: number;
  readonly refusals: number;
}

/** One pair, and the end of its winner: killed, or by itself where nobody outside can kill it. */
async function pair(dataDir: string, n: number): Promise<Outcome> {
  const starters = await Promise.all(transitionContext(n).map((each) => starter(dataDir, each)));
  const said = await Promise.all(starters.map((each) => each.go()));
  const killed = (each: Starter) => (transitionContext(n)[0].place === 'here' ? each.kill() : each.end());
  await Promise.all(starters.map(killed));
  return {
    winners: said.filter((line) => line === 'got').length,
    refusals: said.filter((line) => line.startsWith('DataDirInUse')).length,
  };
}

describe('two that start at once in one folder', () => {
  it(
    'are one that gets it and one that is refused, also after a kill, in long paths, and in containers that share it',
    async () => {
      const outcomes: Outcome[] = [];
      const inOneFolder = async (place: number) => {
        const dataDir = join(folder, `shared-${place}`, place % 2 === 0 ? 'data' : 'x'.repeat(150));
        for (let n = place; n < PAIRS; n += FOLDERS_AT_ONCE) outcomes.push(await pair(dataDir, n));
      };
      await Promise.all(Array.from({ length: FOLDERS_AT_ONCE }, (_, place) => inOneFolder(place)));
      const odd = outcomes.filter(({ winners, refusals }) => winners !== 1 || refusals !== 1);
      expect(odd).toEqual([]);
      expect(outcomes).toHaveLength(PAIRS);
    },
    MAX_RUN_MS,
  );
});

describe('a process that has the folder', () => {
  const here: StarterOptions = { temporary: tmpdir(), place: 'here' };

  it.each([
    ['its lock file is removed', (dataDir: string) => rmSync(join(dataDir, 'in-use.lock'))],
    [
      'another one writes itself into the file',
      (dataDir: string) => writeFileSync(join(dataDir, 'in-use.lock'), 'x'.repeat(120)),
    ],
    ['the folder is moved away', (dataDir: string) => renameSync(dataDir, `${dataDir}-moved`)],
  ])('ends at once when %s', async (what, happens) => {
    const dataDir = join(folder, what);
    const owner = await starter(dataDir, here);
    expect(await owner.go()).toBe('got');
    happens(dataDir);
    expect(await owner.line()).toMatch(/^lost DATA_DIR .* is no longer ours.*in-use.lock/);
    await owner.end();
    expect(owner.child.exitCode).toBe(74);
  });

  it('keeps the next one out while it is held still', async () => {
    const dataDir = join(folder, 'still');
    const owner = await starter(dataDir, here);
    expect(await owner.go()).toBe('got');
    owner.child.kill('SIGSTOP');
    const next = await starter(dataDir, here);
    expect(await next.go()).toMatch(/^DataDirInUse .* is used by another running process/);
    await Promise.all([owner.kill(), next.end()]);
    const last = await starter(dataDir, here);
    expect(await last.go()).toBe('got');
    await last.end();
    expect(existsSync(join(dataDir, 'in-use.lock'))).toBe(true);
  });

  it('is respected when it is of a version that listens on a socket', async () => {
    const dataDir = join(folder, 'former');
    mkdirSync(dataDir);
    const former = createServer((socket) => socket.destroy());
    await new Promise<void>((done) => former.listen(join(dataDir, 'in-use.sock'), done));
    const next = await starter(dataDir, here);
    expect(await next.go()).toMatch(/^DataDirInUse/);
    await next.end();
    await new Promise((done) => former.close(done));
    const last = await starter(dataDir, here);
    expect(await last.go()).toBe('got');
    await last.end();
  });
});

describe('a folder that cannot be used', () => {
  const here: StarterOptions = { temporary: tmpdir(), place: 'here' };
  const told = async (dataDir: string) => {
    const one = await starter(dataDir, here);
    const said = await one.go();
    await one.end();
    return said;
  };

  it('says so when it is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await told(file)).toMatch(/^StorageFailure DATA_DIR .*It is not a folder/);
    expect(await told(join(file, 'data'))).toMatch(/^StorageFailure DATA_DIR .*It is not a folder/);
  });

  const mounted = (name: string, options: string) => {
    const path = join(folder, name);
    mkdirSync(path);
    return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]).status === 0 ? path : null;
  };
  const readOnly = () => mounted('read-only', 'ro,size=1m');

  it('says so when it is read-only', async () => {
    const path = readOnly();
    if (path === null) return process.stderr.write('a read-only folder: skipped, this machine does not allow mount\n');
    try {
      expect(await told(path)).toMatch(/^StorageFailure DATA_DIR .*The disk is read-only: mount it writable/);
      expect(await told(join(path, 'data'))).toMatch(/^StorageFailure DATA_DIR .*The disk is read-only/);
    } finally {
      spawnSync('umount', [path]);
    }
  });

  it('says so when the disk is full', async () => {
    const path = mounted('full', 'size=64k');
    if (path === null) return process.stderr.write('a full disk: skipped, this machine does not allow mount\n');
    try {
      expect(spawnSync('dd', ['if=/dev/zero', `of=${join(path, 'filler')}`]).status).toBe(1);
      expect(await told(path)).toMatch(/^StorageFailure DATA_DIR .*The disk is full: make room/);
    } finally {
      spawnSync('umount', [path]);
    }
  });
});
