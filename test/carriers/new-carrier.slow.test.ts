import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { writeFolders } from '../../src/cli/new-carrier/write.js';
import { COMBINATIONS } from '../adapters/outside/combinations.js';

const run = promisify(execFile);
const folders: string[] = [];
afterAll(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** With what was built: the copy compiles what is newer only, by the times of the files. */
const FOLDERS = ['carriers', 'src', 'templates', 'test', 'bin', 'dist', 'docs'];
const FILES = [
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
  'package.json',
  'jest.config.js',
  'eslint.config.js',
  '.prettierrc.json',
  '.prettierignore',
];

/** The compiler knows a package by the folder where it really is: with another name of it, it would compile all again. */
function linkPackages(copy: string): void {
  const packages = join(process.cwd(), 'node_modules');
  symlinkSync(packages, join(copy, 'node_modules'));
  const compiled = join(copy, 'dist/.tsbuildinfo');
  const names = readFileSync(compiled, 'utf8');
  writeFileSync(compiled, names.replaceAll('"../node_modules/', `"${relative(join(copy, 'dist'), packages)}/`));
}

/** A copy of the project, with two more carriers that the command wrote, and one for each pair of answers. */
async function copyWithCarriers(): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'new-carrier-'));
  folders.push(copy);
  for (const source of [...FOLDERS, ...FILES])
    cpSync(source, join(copy, source), { recursive: true, preserveTimestamps: true });
  linkPackages(copy);
  // As they are built already: `bin/waybridge.js` would build the program again for the first of them.
  const command = ['dist/bundle/main.js', 'new-carrier', '--into', 'carriers', '--yes'];
  await run(process.execPath, [...command, 'acme'], { cwd: copy });
  await run(process.execPath, [...command, 'acme-nord', '--auth', 'oauth', '--parcels', 'one', '--search', 'no'], {
    cwd: copy,
  });
  writeFolders(
    join(copy, 'carriers'),
    COMBINATIONS.map((answers, index) => ({ names: { id: `made-${index}`, name: `Made ${index}` }, answers })),
  );
  return copy;
}

/** What the sandbox beside the service makes of its carriers, asked in a process of its own. */
const QUESTION = `
  import { startSandbox } from './src/sandbox/sandbox.js';
  import { carriers } from './carriers/index.js';
  import { sandboxConfig, sandboxSecrets } from './src/cli/sandbox/sandbox-config.js';
  import { createHttpPort } from './src/transport/http-port.js';
  import { readConfigFile } from './src/config/config-file.js';
  import { writeFileSync } from 'node:fs';

  const sandbox = await startSandbox({ port: 0, carriers });
  writeFileSync('waybridge.yaml', sandboxConfig(sandbox));
  const adapters = carriers.map(({ adapter }) => adapter);
  const { config, problems } = readConfigFile('waybridge.yaml', { environment: sandboxSecrets, adapters, allowPrivate: true });
  const account = config?.accounts.find(({ name }) => name === 'acme');
  const { adapter } = carriers.find(({ adapter: { id } }) => id === 'acme');
  const tools = {
    http: createHttpPort({ allowPrivateAddresses: 'allowed' }),
    clock: { now: () => new Date() },
    baseUrl: sandbox.carrierUrl('acme'),
  };
  const connected = adapter.connect(account.config, tools);
  const { booking } = await connected.book(adapter.sample.request);
  const labels = await connected.fetchLabels(booking);
  console.log(JSON.stringify({
    problems,
    booked: sandbox.control.bookings('acme').length,
    labels: labels.length,
    inTheIms: [...carriers].map(({ adapter }) => adapter.name).includes('Acme Nord'),
  }));
  await sandbox.close();
`;

/** As deep as the service's own bundle, from where the program finds its folder. */
const QUESTION_FILE = 'dist/bundle/question.js';

let copy: string;
beforeAll(async () => {
  copy = await copyWithCarriers();
});

it('adds a folder, a test and one line in the list: the sandbox configures, simulates and calls for the carrier', async () => {
  await build({
    stdin: { contents: QUESTION, resolveDir: copy, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: join(copy, QUESTION_FILE),
    tsconfig: join(copy, 'tsconfig.json'),
    logLevel: 'silent',
  });

  const { stdout } = await run(process.execPath, [QUESTION_FILE], { cwd: copy });

  expect(JSON.parse(stdout)).toEqual({ problems: [], booked: 1, labels: 1, inTheIms: true });
});

it('writes code that the types, the lint and the format accept', async () => {
  const tool = (...command: readonly string[]) => run('npx', ['--no-install', ...command], { cwd: copy });
  const ids = ['acme', 'acme-nord', ...COMBINATIONS.map((_answers, index) => `made-${index}`)];
  const tests = ids.map((id) => `test/carriers/${id}.test.ts`);
  const written = ['carriers/index.ts', ...ids.map((id) => `carriers/${id}`), ...tests];
  // The build compiles what changed of the program; the tests of the others know no carrier by its type.
  await run(process.execPath, ['bin/build.js'], { cwd: copy });
  const typesOfTests = { extends: './tsconfig.json', include: [], files: tests };
  writeFileSync(join(copy, 'tsconfig.written.json'), JSON.stringify(typesOfTests));
  await tool('tsc', '--noEmit', '-p', 'tsconfig.written.json');
  await tool('eslint', ...written);
  await tool('prettier', '--check', ...written);
});

it('writes tests that every carrier must pass, and they pass', async () => {
  const tests = ['--selectProjects', 'carriers', '--testPathPatterns', 'test/carriers/acme'];
  const { stderr } = await run('npx', ['--no-install', 'jest', ...tests], { cwd: copy });
  expect(stderr).toMatch(/Test Suites: 2 passed, 2 total/);
});

it('asks for one more command, which writes the page of the carriers as its test wants it', async () => {
  const pageTest = ['--no-install', 'jest', '--selectProjects', 'fast', '--testPathPatterns', 'test/docs/carriers'];
  await expect(run('npx', pageTest, { cwd: copy })).rejects.toMatchObject({
    stderr: expect.stringContaining('Test Suites: 1 failed'),
  });

  await run('npm', ['run', 'docs:carriers'], { cwd: copy });

  expect((await run('npx', pageTest, { cwd: copy })).stderr).toMatch(/Test Suites: 1 passed, 1 total/);
});

it('changes nothing where the carrier is there already', async () => {
  const again = run(process.execPath, ['bin/waybridge.js', 'new-carrier', 'acme', '--into', 'carriers', '--yes'], {
    cwd: copy,
  });
  await expect(again).rejects.toMatchObject({ stderr: expect.stringContaining('has already: choose another one') });
  const test = run(process.execPath, ['bin/waybridge.js', 'new-carrier', 'sample', '--into', 'carriers', '--yes'], {
    cwd: copy,
  });
  await expect(test).rejects.toMatchObject({ stderr: expect.stringContaining('sample.test.ts is there already') });
});
