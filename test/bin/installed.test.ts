import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../src/cli/sandbox/child-service.js';

let root: string;
let child: ChildProcess | undefined;

/** As the Dockerfile puts it together: what was bundled, and the packages that are not for development only. */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'waybridge-installed-'));
  for (const path of ['package.json', 'bin', 'templates', 'dist/bundle'])
    cpSync(path, join(root, path), { recursive: true });
  cpSync('src/sandbox/scenarios', join(root, 'src/sandbox/scenarios'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>>;
  };
  for (const [path, { dev, optional }] of Object.entries(packages)) {
    if (dev || optional || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(resolve(path), join(root, path));
  }
});

afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Packages stay where they are linked, or Node would look for others beside where they really lie. */
const NODE = ['--preserve-symlinks'];

describe('the program, installed without what builds it,', () => {
  it('says its version', () => {
    const { stdout, stderr } = spawnSync(process.execPath, [...NODE, 'bin/waybridge.js', '--version'], {
      ...{ cwd: root, encoding: 'utf8' },
    });
    expect({ stdout, stderr }).toEqual({ stdout: '0.1.0\n', stderr: '' });
  });

  it('runs the sandbox with its pages and scenarios', async () => {
    const port = await freePort();
    const words = ['bin/waybridge.js', 'sandbox', '--port', String(port), '--scenario', 'small-shop'];
    child = spawn(process.execPath, [...NODE, ...words], { cwd: root, stdio: 'ignore' });
    const pages = ['/docs', '/docs/swagger-ui-bundle.js', '/2/openapi.json'].map(
      (page) => `http://127.0.0.1:${port}${page}`,
    );
    const [first = ''] = pages;
    while (!(await fetch(first).catch(() => null))?.ok) {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
      await new Promise((done) => setTimeout(done, 50));
    }
    expect(await Promise.all(pages.map(async (page) => (await fetch(page)).status))).toEqual([200, 200, 200]);
  });
});
