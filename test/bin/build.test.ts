import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

let root: string;
let lock: string;
let started: readonly ChildProcess[] = [];

/** Ends once the file `go` is there. */
const COMPILER = `
const { existsSync, writeFileSync } = require('node:fs');
writeFileSync('compiling', '');
const end = () => existsSync('go') || setTimeout(end, 5);
end();
`;
/** Writes a program that says it ran. */
const BUNDLER = `
import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist/bundle', { recursive: true });
writeFileSync('dist/bundle/main.js', "console.log('it runs')");
writeFileSync('dist/.built', '');
`;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybridge-build-'));
  lock = join(root, 'dist', '.building');
  for (const folder of ['bin', 'src', 'carriers', 'dist', 'node_modules/typescript/bin'])
    mkdirSync(join(root, folder), { recursive: true });
  copyFileSync('bin/waybridge.js', join(root, 'bin', 'waybridge.js'));
  writeFileSync(join(root, 'bin', 'bundle.js'), BUNDLER);
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'node_modules/typescript/package.json'), '{}');
  writeFileSync(join(root, 'node_modules/typescript/bin/tsc'), COMPILER);
  for (const folder of ['src', 'carriers']) writeFileSync(join(root, folder, 'a.ts'), '');
});

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started = [];
  rmSync(root, { recursive: true, force: true });
});

function start() {
  const child = spawn(process.execPath, ['bin/waybridge.js'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  started = [...started, child];
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.on('exit', (code, signal) => resolve(signal ?? code)),
  );
  return { child, ended, said: text(child.stdout) };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function letItEnd(): void {
  writeFileSync(join(root, 'go'), '');
}

describe('the program', () => {
  it('is built before it runs, by one of two that are started at once', async () => {
    const [one, other] = [start(), start()];
    await until(() => existsSync(join(root, 'compiling')));
    expect(existsSync(lock)).toBe(true);
    letItEnd();
    expect([await one.said, await other.said]).toEqual(['it runs\n', 'it runs\n']);
    expect(existsSync(lock)).toBe(false);
  });

  it('is built although an earlier build was killed', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(lock, String(pid));
    letItEnd();
    expect(await start().said).toBe('it runs\n');
    expect(existsSync(lock)).toBe(false);
  });

  it.each([
    ['a folder', () => mkdirSync(lock)],
    ['an empty file', () => writeFileSync(lock, '')],
  ])('is built although a build long ago left %s behind', async (_case, leave) => {
    leave();
    utimesSync(lock, new Date(0), new Date(0));
    letItEnd();
    expect(await start().said).toBe('it runs\n');
    expect(existsSync(lock)).toBe(false);
  });

  it('is built again where a build ended between its steps', async () => {
    writeFileSync(join(root, 'dist', '.tsbuildinfo'), '');
    letItEnd();
    expect(await start().said).toBe('it runs\n');
  });

  it('is not built a second time', async () => {
    letItEnd();
    await start().said;
    rmSync(join(root, 'compiling'));
    expect(await start().said).toBe('it runs\n');
    expect(existsSync(join(root, 'compiling'))).toBe(false);
  });

  it('is built again when other packages were installed', async () => {
    letItEnd();
    await start().said;
    rmSync(join(root, 'compiling'));
    writeFileSync(join(root, 'node_modules/.package-lock.json'), '{}');
    expect(await start().said).toBe('it runs\n');
    expect(existsSync(join(root, 'compiling'))).toBe(true);
  });

  it('does not run, and is built again next time, when a step fails', async () => {
    letItEnd();
    writeFileSync(join(root, 'bin', 'bundle.js'), 'process.exit(3)');
    const { ended, said } = start();
    expect([await ended, await said]).toEqual([3, '']);
    expect(existsSync(lock)).toBe(false);
    writeFileSync(join(root, 'bin', 'bundle.js'), BUNDLER);
    expect(await start().said).toBe('it runs\n');
  });

  it('is not built while another build goes on', async () => {
    writeFileSync(lock, String(process.pid));
    const { said } = start();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(existsSync(join(root, 'compiling'))).toBe(false);
    letItEnd();
    rmSync(lock);
    expect(await said).toBe('it runs\n');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('leaves nothing behind when %s ends its build', async (signal) => {
    const { child, ended } = start();
    await until(() => existsSync(join(root, 'compiling')));
    child.kill(signal);
    expect(await ended).toBe(signal);
    expect(existsSync(lock)).toBe(false);
  });
});
