import { afterEach, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { type Server, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { csvLine, sendCsv } from '../../src/http/csv.js';
import { answerErrors } from '../../src/http/problem.js';
import { keepLog } from '../support/log-lines.js';

let server: Server;

afterEach(() => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

async function* brokenLines(): AsyncGenerator<string> {
  yield csvLine(['first']);
  await Promise.resolve();
  throw new Error('the database is away');
}

it('logs an error of an answer that has begun, and nothing writes it elsewhere', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const { log, lines } = keepLog();
  const app = express().set('env', 'production');
  app.get('/all.csv', (_request, response) => sendCsv(response, 'all.csv', brokenLines()));
  server = app.use(answerErrors(log)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/all.csv`);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  await expect(answer.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(lines).toMatchObject([
    { level: 'error', event: 'request failed', fields: { method: 'GET', path: '/all.csv' } },
  ]);
  expect(printed).not.toHaveBeenCalled();
});
