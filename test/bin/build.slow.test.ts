import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

let root: string;
let lock: string;
let started: readonly ChildProcess[] = [];

/** Each says that it began, ends once the file `go` is there, and fails where a file says so. */
const COMPILER = `
const { appendFileSync, existsSync } = require('node:fs');
appendFileSync('said', 'compiling ');
const end = () => existsSync('go') ? process.exit(existsSync('compiling-fails') ? 2 : 0) : setTimeout(end, 5);
end();
`;
/** Writes a program that says it ran. */
const BUNDLER = `
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync('said', 'bundling ');
mkdirSync('dist/bundle', { recursive: true });
writeFileSync('dist/bundle/main.js', 'half of a');
const end = () => {
  if (existsSync('bundling-lasts')) return setTimeout(end, 5);
  writeFileSync('dist/bundle/main.js', "console.log('it runs')");
};
end();
`;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybridge-build-'));
  lock = join(root, 'dist', '.building');
  for (const folder of ['bin', 'src', 'carriers', 'dist', 'node_modules/typescript/bin'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['waybridge.js', 'build.js']) copyFileSync(`bin/${file}`, join(root, 'bin', file));
  write('package.json', '{"type":"module"}');
  write('node_modules/typescript/package.json', '{}');
  write('node_modules/typescript/bin/tsc', COMPILER);
  write('bin/bundle.js', BUNDLER);
  for (const folder of ['src', 'carriers']) write(`${folder}/a.ts`);
});

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started = [];
  rmSync(root, { recursive: true, force: true });
});

function write(file: string, content = ''): void {
  writeFileSync(join(root, file), content);
}

function start(program = 'bin/waybridge.js') {
  const child = spawn(process.execPath, [program], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
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
  write('go');
}

/** What the steps said since the last time. */
function steps(): string {
  const file = join(root, 'said');
  const said = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  rmSync(file, { force: true });
  return said;
}

const BUILT = 'compiling bundling';

describe('the program', () => {
  it('is built before it runs, by one of two that are started at once', async () => {
    const [one, other] = [start(), start()];
    await until(() => existsSync(join(root, 'said')));
    expect(existsSync(lock)).toBe(true);
    letItEnd();
    expect([await one.said, await other.said]).toEqual(['it runs\n', 'it runs\n']);
    expect([steps(), existsSync(lock)]).toEqual([BUILT, false]);
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

  it('is not built while another build goes on', async () => {
    writeFileSync(lock, String(process.pid));
    const { said } = start();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(steps()).toBe('');
    letItEnd();
    rmSync(lock);
    expect(await said).toBe('it runs\n');
  });

  it.each([
    ['SIGINT', 'compiles', 'compiling'],
    ['SIGTERM', 'compiles', 'compiling'],
    ['SIGINT', 'bundles', 'bundling'],
  ] as const)('leaves nothing behind when %s comes while it %s', async (signal, _what, step) => {
    write('bundling-lasts');
    if (step === 'bundling') letItEnd();
    const { child, ended } = start();
    await until(() => existsSync(join(root, 'said')) && readFileSync(join(root, 'said'), 'utf8').includes(step));
    child.kill(signal);
    expect(await ended).toBe(signal);
    expect(existsSync(lock)).toBe(false);
  });

  it('runs as it is where there is no compiler', async () => {
    rmSync(join(root, 'node_modules'), { recursive: true });
    mkdirSync(join(root, 'dist/bundle'));
    write('dist/bundle/main.js', "console.log('as it is')");
    expect(await start().said).toBe('as it is\n');
    expect(steps()).toBe('');
  });

  it('does not run, and is not bundled, when it cannot be compiled', async () => {
    letItEnd();
    write('compiling-fails');
    const { ended, said } = start();
    expect([await ended, await said, steps()]).toEqual([2, '', 'compiling']);
    expect(existsSync(lock)).toBe(false);
    rmSync(join(root, 'compiling-fails'));
    expect(await start().said).toBe('it runs\n');
  });
});

describe('the program, built once,', () => {
  beforeEach(async () => {
    letItEnd();
    await start().said;
    steps();
  });

  it('is not built again', async () => {
    expect([await start().said, steps()]).toEqual(['it runs\n', '']);
  });

  it.each([
    ['a source changes', () => write('src/a.ts', '1')],
    ["a carrier's source is added", () => write('carriers/b.ts')],
    ['other packages are installed', () => write('node_modules/.package-lock.json')],
    ['the way of compiling changes', () => write('tsconfig.json', '{}')],
    ['the way of bundling changes', () => write('bin/bundle.js', `${BUNDLER}//`)],
    ['what was built is gone', () => rmSync(join(root, 'dist/bundle'), { recursive: true })],
  ])('is built again when %s', async (_what, change) => {
    change();
    expect([await start().said, steps()]).toEqual(['it runs\n', BUILT]);
  });

  it('is built again when a source is saved while it is built', async () => {
    rmSync(join(root, 'go'));
    write('src/a.ts', '1');
    const { said } = start();
    await until(() => existsSync(join(root, 'said')));
    write('src/a.ts', '2');
    letItEnd();
    expect([await said, steps()]).toEqual(['it runs\n', `${BUILT} ${BUILT}`]);
  });

  it('is built no more than twice where a source is of tomorrow', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000);
    utimesSync(join(root, 'src/a.ts'), tomorrow, tomorrow);
    expect([await start().said, steps()]).toEqual(['it runs\n', `${BUILT} ${BUILT}`]);
  });

  it('is built again by whoever asks for that', async () => {
    const { ended } = start('bin/build.js');
    expect([await ended, steps()]).toEqual([0, BUILT]);
    expect([await start().said, steps()]).toEqual(['it runs\n', '']);
  });

  it('is built again when such a build was killed', async () => {
    write('bundling-lasts');
    const { child, ended } = start('bin/build.js');
    await until(() => existsSync(join(root, 'said')) && readFileSync(join(root, 'said'), 'utf8').includes('bundling'));
    child.kill('SIGKILL');
    await ended;
    rmSync(join(root, 'bundling-lasts'));
    steps();
    expect([await start().said, steps()]).toEqual(['it runs\n', BUILT]);
  });
});
