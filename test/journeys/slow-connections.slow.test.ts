import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Socket, connect } from 'node:net';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { type Service, startService, until } from '../support/harness.js';

/** Three times as long as documented, and less than Node alone waits for a header (60 s) or a body (300 s). */
const IDLE_ENDS_WITHIN_MS = 15_000;
const HEADER_ENDS_WITHIN_MS = 45_000;
const REQUEST_ENDS_WITHIN_MS = 180_000;

interface Client {
  readonly socket: Socket;
  answer(): string;
  isEnded(): boolean;
}

let service: Service;
const clients: Client[] = [];

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  clients.forEach(({ socket }) => socket.destroy());
  await service.stop();
});

/** Connects, sends these lines, and then nothing more. */
function send(...lines: readonly string[]): Client {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  let isEnded = false;
  socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
  // A reset is one of the ways to be ended.
  socket.on('error', () => undefined);
  socket.on('close', () => (isEnded = true));
  if (lines.length > 0) socket.write(lines.join('\r\n'));
  const client = { socket, answer: () => answer, isEnded: () => isEnded };
  clients.push(client);
  return client;
}

const AUTHORIZATION = `authorization: Bearer ${sandboxSecrets.EVENTS_SECRET}`;

/** Told or not; never as if it had been asked something. */
const GIVEN_UP = /^(HTTP\/1.1 408 |$)/;

// Each waits for its own limit.
it.concurrent.each([
  [
    'was answered and asks nothing more',
    {
      lines: ['GET /healthz HTTP/1.1', 'host: here', '', ''],
      withinMs: IDLE_ENDS_WITHIN_MS,
      answered: /^HTTP\/1.1 200 /,
    },
  ],
  ['sends nothing', { lines: [], withinMs: HEADER_ENDS_WITHIN_MS, answered: GIVEN_UP }],
  [
    'sends half a header',
    { lines: ['GET /healthz HTTP/1.1', 'host: he'], withinMs: HEADER_ENDS_WITHIN_MS, answered: GIVEN_UP },
  ],
  [
    'sends half a body',
    {
      lines: ['POST /events HTTP/1.1', 'host: here', AUTHORIZATION, 'content-length: 1000', '', '{"half":'],
      withinMs: REQUEST_ENDS_WITHIN_MS,
      answered: GIVEN_UP,
    },
  ],
])('a connection that %s is ended by the service', async (_case, { lines, withinMs, answered }) => {
  const client = send(...lines);
  await until('the connection is ended', client.isEnded, withinMs);
  expect(client.answer()).toMatch(answered);
});
