import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

let root: string;

/** What the stage of the Dockerfile copies that builds. */
const copied = (): readonly string[] => {
  const [, stage = ''] = /^FROM \S+ AS build$([^]*?)^FROM /m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  return [...stage.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
};

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'waybridge-image-'));
  for (const path of copied()) cpSync(path, join(root, path), { recursive: true });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

it('is built from what the first stage of the Dockerfile copies', () => {
  expect(copied()).toContain('package.json');
  const { status, stderr } = spawnSync('npm', ['run', 'build'], { cwd: root, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'building …\n' });
  for (const file of ['main.js', 'messages.en.yaml.json'])
    expect(existsSync(join(root, 'dist/bundle', file))).toBe(true);
});
