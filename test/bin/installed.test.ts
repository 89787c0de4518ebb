import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import { AS_LINKED, linkPackages } from './link-packages.js';

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
  linkPackages(root);
});

afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the program, installed without what builds it,', () => {
  it('says its version', () => {
    const { stdout, stderr } = spawnSync(process.execPath, [...AS_LINKED, 'bin/waybridge.js', '--version'], {
      ...{ cwd: root, encoding: 'utf8' },
    });
    expect({ stdout, stderr }).toEqual({ stdout: '0.1.0\n', stderr: '' });
  });

  it('runs the sandbox with its pages and scenarios', async () => {
    const port = await freePort();
    const words = ['bin/waybridge.js', 'sandbox', '--port', String(port), '--scenario', 'small-shop'];
    child = spawn(process.execPath, [...AS_LINKED, ...words], { cwd: root, stdio: 'ignore' });
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
