import { afterEach, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const run = promisify(execFile);
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A copy of the project's sources with one more carrier: a folder of its own, and one line in the list. */
function copyWithCarrier(): string {
  const copy = mkdtempSync(join(tmpdir(), 'new-carrier-'));
  folders.push(copy);
  for (const folder of ['carriers', 'src']) cpSync(folder, join(copy, folder), { recursive: true });
  cpSync('tsconfig.json', join(copy, 'tsconfig.json'));
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  addCarrier(copy);
  addLine(join(copy, 'carriers', 'index.ts'));
  return copy;
}

/** As somebody writes one: from the shortest example, under names of its own. */
function addCarrier(copy: string): void {
  const from = 'carriers/pretend';
  for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
    const target = join(copy, 'carriers', 'acme', file);
    const text = readFileSync(join(from, file), 'utf8');
    mkdirSync(join(target, '..'), { recursive: true });
    writeFileSync(
      target,
      text.replaceAll('PRETEND', 'ACME').replaceAll('Pretend', 'Acme').replaceAll('pretend', 'acme'),
    );
  }
}

function addLine(list: string): void {
  const line = `  { adapter: acme, simulator: async () => (await import('./acme/simulator/index.js')).startAcmeSimulator },\n`;
  const text = readFileSync(list, 'utf8').replace(/\];\n$/, `${line}];\n`);
  writeFileSync(list, `import { acme } from './acme/index.js';\n${text}`);
}

/** What the sandbox beside the service makes of its carriers, asked in a process of its own. */
const QUESTION = `
  import { startSandbox } from './src/sandbox/sandbox.js';
  import { carriers } from './carriers/index.js';
  import { callbackTargets, sandboxConfig, sandboxSecrets } from './src/cli/sandbox/sandbox-config.js';
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
    called: callbackTargets('https://waybridge.example').map(({ carrier }) => carrier).includes('acme'),
  }));
  await sandbox.close();
`;

it('lets a new carrier be added with its folder and one line: the sandbox configures, simulates and calls back for it', async () => {
  const copy = copyWithCarrier();
  await build({
    stdin: { contents: QUESTION, resolveDir: copy, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: join(copy, 'question.js'),
    tsconfig: join(copy, 'tsconfig.json'),
    logLevel: 'silent',
  });

  const { stdout } = await run(process.execPath, ['question.js'], { cwd: copy });

  expect(JSON.parse(stdout)).toEqual({ problems: [], booked: 1, labels: 1, called: true });
});
