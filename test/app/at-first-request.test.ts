import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import express, { type RequestHandler } from 'express';
import request from 'supertest';
import { atFirstRequest } from '../../src/app/at-first-request.js';

const page: RequestHandler = (_request, response) => void response.send('a page');

describe('a handler that is created at the first request', () => {
  it('is created once, also when several requests come before it is there', async () => {
    let created = 0;
    const app = express().use(
      atFirstRequest(async () => {
        created += 1;
        await new Promise((done) => setImmediate(done));
        return page;
      }),
    );
    expect(created).toBe(0);
    const answers = await Promise.all([1, 2, 3].map(() => request(app).get('/')));
    expect(answers.map(({ text }) => text)).toEqual(['a page', 'a page', 'a page']);
    expect(created).toBe(1);
  });

  it('is created at the next request when the first could not', async () => {
    let failures = 1;
    const create = async () => {
      if (failures-- > 0) throw Object.assign(new Error('too many open files'), { status: 503 });
      return page;
    };
    const app = express().set('env', 'test').use(atFirstRequest(create));
    expect((await request(app).get('/')).status).toBe(503);
    expect((await request(app).get('/')).text).toBe('a page');
  });

  it('passes on what it does not answer', async () => {
    const app = express().use(atFirstRequest(async () => express.Router()));
    expect((await request(app).get('/')).status).toBe(404);
  });
});

const COMPILED = pathToFileURL('dist/src/app/at-first-request.js').href;

/** Imports a module while no file can be opened, and again when files can be. */
const PROGRAM = `
  import { closeSync, openSync } from 'node:fs';
  import { imported } from '${COMPILED}';
  const load = () => imported(() => import('./late.mjs')).then(({ name }) => name, ({ code }) => code);
  const taken = [];
  try {
    for (;;) taken.push(openSync('/dev/null'));
  } catch {}
  const told = [await load()];
  taken.forEach(closeSync);
  console.log([...told, await load()].join());
`;

it('imports a module that could not be read when no file could be opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-late-'));
  try {
    writeFileSync(join(folder, 'late.mjs'), "export const name = 'late';");
    writeFileSync(join(folder, 'program.mjs'), PROGRAM);
    const words = ['-c', 'ulimit -n 64 && exec "$@"', 'sh', process.execPath, join(folder, 'program.mjs')];
    expect(execFileSync('sh', words, { encoding: 'utf8' })).toBe('EMFILE,late\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
