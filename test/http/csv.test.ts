import { afterEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, type Server, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import { csvLine, sendCsv } from '../../src/http/csv.js';

const LINES = 2_000;
const EVENTS = ['close', 'drain', 'error'];
const LINE = csvLine(['x'.repeat(10_000)]);

let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** How far the lines were read, the most listeners of an event meanwhile, and how the sending ended. */
interface Sending {
  read: number;
  listeners: number;
  ended: unknown;
  closed: boolean;
}

async function ask(failsAt = Infinity): Promise<{ answer: IncomingMessage; sending: Sending }> {
  const sending: Sending = { read: 0, listeners: 0, ended: undefined, closed: false };
  async function* lines(response: Response) {
    try {
      for (; sending.read < LINES; sending.read += 1) {
        await Promise.resolve();
        sending.listeners = Math.max(sending.listeners, ...EVENTS.map((event) => response.listenerCount(event)));
        if (sending.read === failsAt) throw new Error('the database is away');
        yield LINE;
      }
    } finally {
      sending.closed = true;
    }
  }
  const app = express().get('/', async (_request, response) => {
    sending.ended = await sendCsv(response, 'all.csv', lines(response)).catch((error: Error) => error.message);
    if (!response.headersSent) response.status(503).end();
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { answer, sending };
}

async function until(isSo: () => boolean) {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

it('sends lines as fast as the reader takes them, and leaves no listener behind', async () => {
  const { answer, sending } = await ask();
  await new Promise((resolve) => setTimeout(resolve, 200));
  const readAhead = sending.read;
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).length;
  expect(readAhead).toBeLessThan(LINES);
  expect(bytes).toBe(LINES * LINE.length);
  expect(sending).toMatchObject({ read: LINES, ended: true, closed: true });
  expect(sending.listeners).toBeLessThan(10);
});

it('reads no further line when the reader has left', async () => {
  const { answer, sending } = await ask();
  answer.destroy();
  await until(() => sending.ended !== undefined);
  await until(() => sending.closed);
  expect(sending.ended).toBe(false);
  expect(sending.read).toBeLessThan(LINES);
});

it('sends nothing when the first line cannot be read, so that the caller answers', async () => {
  const { answer, sending } = await ask(0);
  expect([answer.statusCode, sending.ended]).toEqual([503, 'the database is away']);
});

it('breaks the connection when a later line cannot be read', async () => {
  const { answer, sending } = await ask(100);
  await expect(answer.resume().toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(sending.ended).toBe('the database is away');
});
