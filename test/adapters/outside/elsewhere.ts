import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { COMMANDS, FILES } from './page.js';

const run = promisify(execFile);

export interface Ended {
  readonly code: number;
  readonly out: string;
}

/** A folder in which the packed package is installed, and nothing else of Waybridge. */
export interface Elsewhere {
  /** `our-carriers` of the page, with `fjordpost` in it. */
  readonly folder: string;
  /** What `new-carrier fjordpost` of the page printed. */
  readonly made: Ended;
  /** Runs a line of a page in the folder, or in one below it. */
  type(line: string, below?: string): Promise<Ended>;
  waybridge(words: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Copies Fjordpost, with a change in one of its files. @returns the entry of the copy */
  changed(name: string, file: string, change: (text: string) => string): string;
  remove(): void;
}

/** Does what the page says, with the package of this checkout: npm installs it with all that it needs. */
export async function installElsewhere(): Promise<Elsewhere> {
  const above = mkdtempSync(join(tmpdir(), 'outside-'));
  const { devDependencies, scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const packed = await pack(above, scripts.prepack);
  const compiler = ['typescript', '@types/node'].map((name) => `${name}@${devDependencies[name]}`);
  const quick = '--prefer-offline --no-audit --no-fund';
  const [install = '', newCarrier = ''] = COMMANDS;
  const folder = join(above, 'our-carriers');
  const type = (line: string, below = '.') => ended(['bash', '-c', line], { cwd: join(folder, below) });
  const quickly = install.replace('npm install waybridge', `npm install ${quick} ${packed} ${compiler.join(' ')}`);
  const installed = await ended(['bash', '-c', quickly], { cwd: above });
  if (installed.code !== 0) throw new Error(`npm install: ${installed.out}`);
  const made = await type(newCarrier);
  for (const { name, text } of FILES) writeFileSync(join(folder, 'fjordpost', name), text);
  return {
    folder,
    made,
    type,
    waybridge: (words, environment = {}) =>
      ended([process.execPath, programOf(folder), ...words], { cwd: folder, environment }),
    changed: (name, file, change) => {
      const copy = join(folder, name);
      cpSync(join(folder, 'fjordpost'), copy, { recursive: true });
      writeFileSync(join(copy, file), change(readFileSync(join(copy, file), 'utf8')));
      return `./${name}`;
    },
    remove: () => rmSync(above, { recursive: true, force: true }),
  };
}

/**
 * As `npm pack` does it, but for the build that it begins with: the tests have begun with the same one.
 * @returns the file
 */
async function pack(into: string, prepack: string): Promise<string> {
  await run('npx', ['--no-install', '--call', prepack.replace('node bin/build.js && ', '')]);
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', into]);
  return join(into, stdout.trim().split('\n').at(-1) ?? '');
}

export function programOf(folder: string): string {
  return join(folder, 'node_modules', 'waybridge', 'bin', 'waybridge.js');
}

interface Place {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Nothing here lasts longer. */
const WITHIN_MS = 240_000;

function ended([program = '', ...words]: readonly string[], { cwd, environment = {} }: Place): Promise<Ended> {
  return run(program, words, { cwd, env: { ...process.env, ...environment }, timeout: WITHIN_MS }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout + error.stderr,
    }),
  );
}
