import { afterEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { silentLog } from '../../src/log.js';
import { type BodyLimits, bodyBudget } from '../../src/http/body-budget.js';
import { until } from '../support/harness.js';
import { type Unfinished, beginPost } from './unfinished.js';

const KB = 1_000;
let server: Server;
let url: string;
/** Requests whose head has been read. */
let arrived = 0;
let begun: Unfinished[] = [];
let answers: (() => void)[] = [];

/** Takes bodies of up to 1 MB, as the service does; `/held` answers when the test says so. */
async function listen(limits: BodyLimits): Promise<void> {
  const app = express();
  arrived = 0;
  app.use((_request, _response, next) => {
    arrived += 1;
    next();
  });
  const body = [bodyBudget(silentLog, limits), express.raw({ type: () => true, limit: 1_000 * KB })];
  app.post('/', ...body, (request, response) => {
    response.json({ bytes: (request.body as Buffer).length });
  });
  app.post('/held', ...body, (_request, response) => {
    answers.push(() => response.json({}));
  });
  server = createServer(app);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  for (const { socket } of begun) socket.destroy();
  begun = [];
  answers = [];
  server.closeAllConnections();
  server.close();
});

function begin(bytes: number, headers: readonly string[] = []): Unfinished {
  const one = beginPost(url, { path: '/', headers, send: Buffer.alloc(bytes, 'x') });
  begun.push(one);
  return one;
}

const post = (path: string, body: Uint8Array, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { method: 'POST', body: Buffer.from(body), headers });

const GENEROUS_MS = 60_000;

describe('bodies that are not finished', () => {
  it('are ended, the oldest first, when together they are more than the budget', async () => {
    await listen({ bytes: 500 * KB, withinMs: GENEROUS_MS });
    begin(200 * KB);
    await until('the first has arrived', () => arrived === 1);
    begin(200 * KB);
    await until('the second has arrived', () => arrived === 2);
    begin(200 * KB);
    await until('one is ended', () => begun.some((one) => one.gone()));
    expect(begun.map((one) => one.gone())).toEqual([true, false, false]);
    expect(begun[0]?.answer()).toMatch(/^HTTP\/1\.1 503[^]*retry-after: 5/i);
  });

  it('keep nobody out who sends at once', async () => {
    await listen({ bytes: 500 * KB, withinMs: GENEROUS_MS });
    for (let n = 0; n < 20; n += 1) begin(100 * KB);
    await until('most are ended', () => begun.filter((one) => one.gone()).length >= 15);
    const answer = await post('/', Buffer.alloc(300 * KB));
    expect([answer.status, await answer.json()]).toEqual([200, { bytes: 300 * KB }]);
  });

  it('are ended when they take too long', async () => {
    await listen({ bytes: 500 * KB, withinMs: 200 });
    begin(10 * KB);
    await until('it is ended', () => begun[0]?.gone() === true);
    expect(begun[0]?.answer()).toMatch(/^HTTP\/1\.1 408/);
  });

  it('that come in crumbs count for what they take in memory', async () => {
    await listen({ bytes: 500 * KB, withinMs: GENEROUS_MS });
    const crumbs = Buffer.from('1\r\nx\r\n'.repeat(20 * KB));
    const one = beginPost(url, { path: '/', headers: ['transfer-encoding: chunked'], send: crumbs });
    begun.push(one);
    await until('it is ended', () => one.gone());
  });

  it('that are compressed count for what they may become', async () => {
    await listen({ bytes: 1_500 * KB, withinMs: GENEROUS_MS });
    const packed = gzipSync(Buffer.alloc(900 * KB));
    const send = () => {
      const one = beginPost(url, { path: '/', headers: ['content-encoding: gzip'], send: packed });
      begun.push(one);
    };
    send();
    await until('the first has arrived', () => arrived === 1);
    send();
    await until('the first is ended', () => begun[0]?.gone() === true);
  });
});

it('counts a body until it is answered, and refuses the next one while there is no room', async () => {
  await listen({ bytes: 500 * KB, withinMs: GENEROUS_MS });
  const first = post('/held', Buffer.alloc(400 * KB));
  await until('it is held', () => answers.length === 1);
  expect((await post('/', Buffer.alloc(100))).status).toBe(200);
  const second = begin(200 * KB);
  await until('the second is refused', () => second.gone());
  expect(second.answer()).toMatch(/^HTTP\/1\.1 503/);
  answers.forEach((answer) => answer());
  expect((await first).status).toBe(200);
  expect((await post('/', Buffer.alloc(400 * KB))).status).toBe(200);
});
