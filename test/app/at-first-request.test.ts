import { describe, expect, it } from '@jest/globals';
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
