import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

let folder: string;
let started: readonly ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybridge-cli-'));
});

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started = [];
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(...args: readonly string[]) {
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary, { recursive: true });
  const child = spawn(process.execPath, ['bin/waybridge.js', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: temporary },
  });
  started = [...started, child];
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { child, ended };
}

async function run(...args: readonly string[]) {
  const { child, ended } = start(...args);
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, errors, status: await ended };
}

function file(content: string): string {
  const path = join(folder, 'faults.yaml');
  writeFileSync(path, content);
  return path;
}

describe('the command sandbox', () => {
  it('says what it was filled with and what is to go wrong', async () => {
    const faults = file('seed: 7\nswitches: { nulls: mixed }\nfaults:\n  - { target: gls-dk, kind: reset }\n');
    const { child, ended } = start('sandbox', '--port', '0', '--scenario', 'small-shop', '--faults', faults);
    const said = await new Promise<string>((resolve) => {
      let all = '';
      child.stdout.on('data', (chunk: Buffer) => (all += String(chunk)).includes('control ') && resolve(all));
    });
    expect(said).toMatch(/^scenario +small-shop$/m);
    expect(said).toMatch(/^faults +\S+faults\.yaml: seed 7, 1 switches, 1 faults$/m);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('whose service finds its port in use says how to choose another, and leaves nothing behind', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const taken = String((other.address() as AddressInfo).port);
    const { errors, status } = await run('sandbox', '--port', '0', '--with-service', '--service-port', taken);
    other.close();
    expect(errors).toContain(`port ${taken} is used by another process: stop it, or choose another: `);
    expect(errors).toContain('--service-port 8081');
    expect(status).toBe(1);
    expect(readdirSync(join(folder, 'temporary')).filter((name) => name.startsWith('waybridge-sandbox-'))).toEqual([]);
  });

  it.each([
    ['is not there', () => join(folder, 'none.yaml'), 'none.yaml" cannot be read: it does not exist.'],
    ['is a folder', () => folder, 'cannot be read: it is a folder.'],
    ['is empty', () => file(''), 'faults file: is empty'],
    ['is no YAML', () => file('seed: "1\n'), 'faults file: line 1: the closing " of this text is missing'],
    ['names no target', () => file('faults: [{ target: moon, kind: reset }]'), 'target: must be one of ims, token,'],
  ])('ends in words when the faults file %s', async (_case, path, words) => {
    const { errors, status } = await run('sandbox', '--port', '0', '--faults', path());
    expect(errors).toContain(words);
    expect(errors).not.toMatch(/^ +at /m);
    expect(status).toBe(1);
  });
});

describe('the program', () => {
  it('says its version', async () => {
    expect(await run('--version')).toMatchObject({ out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), status: 0 });
  });
});
