import type { Server as HttpServer, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HttpPort, HttpRequest } from '../../carriers/contract/index.js';
import { NoAnswer } from '../../carriers/contract/index.js';
import { KeptConnectionClosed } from '../../src/transport/exchange.js';
import { type OwnHttpPort, createHttpPort } from '../../src/transport/http-port.js';
import { sendingAgain } from '../../src/transport/send-again.js';
import { CLOSED_ADDRESS } from '../../carriers/testing/carrier-server.js';
import { until } from '../support/until.js';
import { listen, startTcp } from './servers.js';
import type { Started } from './servers.js';

const ONE_CHANGE = { repeatable: 0, changes: 1 };
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
const HALF_AN_ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{}';
const DEADLINE_MS = 1_500;

let port: OwnHttpPort;
const started: Started[] = [];

beforeEach(() => {
  port = createHttpPort({ allowPrivateAddresses: 'refused' });
});
afterEach(async () => {
  port.close();
  await Promise.all(started.splice(0).map((server) => server.close()));
});

/** A server that counts its connections. */
class Counting {
  readonly sockets: Socket[] = [];
  /** By connection, in the order in which they came. */
  readonly requests: number[] = [];
  url = '';

  static async start(
    onRequest: (response: ServerResponse) => void = (response) => response.end('{}'),
  ): Promise<Counting> {
    const counting = new Counting();
    const server: HttpServer = createHttpServer((request, response) => {
      const at = counting.sockets.indexOf(request.socket);
      counting.requests[at] = (counting.requests[at] ?? 0) + 1;
      onRequest(response);
    });
    server.on('connection', (socket) => counting.sockets.push(socket));
    const { url } = await serving(listen(server));
    counting.url = url;
    return counting;
  }

  get open(): number {
    return this.sockets.filter(({ destroyed }) => !destroyed).length;
  }
}

async function serving(server: Promise<Started>): Promise<Started> {
  started.push(await server);
  return server;
}

const post = (url: string, by: HttpPort = port) => by.send({ method: 'POST', url, json: {}, timeoutMs: 5_000 });
const get = (url: string, by: HttpPort = port) => by.send({ method: 'GET', url, timeoutMs: 5_000 });

describe('a connection that was opened ahead', () => {
  it('carries the next change, and only that one', async () => {
    const server = await Counting.start();
    port.ahead.expect(server.url, ONE_CHANGE);
    await until('1 are open', () => server.open === 1);
    await post(server.url);
    await post(server.url);
    expect(server.requests).toEqual([1, 1]);
  });

  it('carries reads as well, one after the other', async () => {
    const server = await Counting.start();
    port.ahead.expect(server.url, { repeatable: 2, changes: 0 });
    await until('2 are open', () => server.open === 2);
    await Promise.all([get(server.url), get(server.url)]);
    await get(server.url);
    expect(server.requests.reduce((sum, count) => sum + count)).toBe(3);
    expect(server.sockets).toHaveLength(2);
  });

  it('is waited for while it is being made, and not made a second time', async () => {
    const server = await Counting.start();
    port.ahead.expect(server.url, ONE_CHANGE);
    await post(server.url);
    expect(server.sockets).toHaveLength(1);
  });

  it('is not opened where one that was used before will do', async () => {
    const server = await Counting.start();
    await get(server.url);
    port.ahead.expect(server.url, { repeatable: 1, changes: 0 });
    await get(server.url);
    expect(server.sockets).toHaveLength(1);
  });

  it('is opened for a change although one that was used before stands', async () => {
    const server = await Counting.start();
    await get(server.url);
    port.ahead.expect(server.url, { repeatable: 1, changes: 1 });
    await until('2 are open', () => server.open === 2);
    await post(server.url);
    expect(server.requests).toEqual([1, 1]);
  });

  it('is opened a limited number of times', async () => {
    const server = await Counting.start();
    port.ahead.expect(server.url, { repeatable: 0, changes: 1_000 });
    await until('12 are open', () => server.open === 12);
    port.ahead.expect(server.url, { repeatable: 1_000, changes: 1_000 });
    await post(server.url);
    expect(server.sockets.length).toBeLessThanOrEqual(13);
  });

  it('is closed with the others', async () => {
    const server = await Counting.start();
    port.ahead.keepReady(server.url, { repeatable: 1, changes: 1 });
    port.ahead.expect(server.url, { repeatable: 1, changes: 1 });
    await until('2 are open', () => server.open === 2);
    port.close();
    await until('0 are open', () => server.open === 0);
  });

  it('is replaced when it was used, while more is expected to come', async () => {
    const server = await Counting.start();
    port.ahead.keepReady(server.url, ONE_CHANGE);
    await until('1 are open', () => server.open === 1);
    await post(server.url);
    await until('another one is open', () => server.sockets.length === 2 && server.open === 1);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['ends', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
    ['says something on', (socket) => socket.write('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n')],
  ])('that its server %s is not used', async (_what, happens) => {
    const server = await Counting.start();
    port.ahead.expect(server.url, ONE_CHANGE);
    await until('1 are open', () => server.open === 1);
    const [first] = server.sockets;
    if (first) happens(first);
    const answer = await post(server.url);
    expect(answer.status).toBe(200);
    expect(server.requests).toEqual([undefined, 1]);
  });

  it('is not opened where nobody answered', async () => {
    const url = CLOSED_ADDRESS;
    port.ahead.expect(url, ONE_CHANGE);
    await expect(post(url)).rejects.toMatchObject({ left: 'never' });
    expect(() => port.ahead.expect(url, ONE_CHANGE)).not.toThrow();
  });
});

type Way = 'on a new connection' | 'on one that was opened ahead' | 'on one that was kept';
const WAYS: readonly Way[] = ['on a new connection', 'on one that was opened ahead', 'on one that was kept'];

/** What the server does with the first bytes of the request, and what is known then. */
const FAULTS: readonly (readonly [string, (socket: Socket) => void, Readonly<Record<Way, string>>])[] = [
  ['ends without an answer', (socket) => socket.end(), all('perhaps', 'perhaps', 'kept was closed')],
  ['resets', (socket) => socket.resetAndDestroy(), all('perhaps', 'perhaps', 'kept was closed')],
  [
    'breaks off in the middle of the answer',
    (socket) => socket.write(HALF_AN_ANSWER, () => socket.resetAndDestroy()),
    all('perhaps', 'perhaps', 'perhaps'),
  ],
  ['never answers', () => undefined, all('perhaps', 'perhaps', 'perhaps')],
];

function all(fresh: string, ahead: string, kept: string): Readonly<Record<Way, string>> {
  return { 'on a new connection': fresh, 'on one that was opened ahead': ahead, 'on one that was kept': kept };
}

describe('what is known of a request', () => {
  const cases = WAYS.flatMap((way) =>
    FAULTS.map(([what, happens, known]) => [way, what, known[way], { way, happens, known: known[way] }] as const),
  );

  it.each(cases)('%s, when the server %s: %s', async (...[, , , { way, happens, known }]) => {
    const sockets: Socket[] = [];
    const server = await serving(startTcp((socket) => serve(socket, sockets, happens)));
    const request: HttpRequest = { method: 'POST', url: server.url, json: {}, timeoutMs: DEADLINE_MS };
    if (way === 'on one that was kept')
      await port.send({ ...request, url: `${server.url}/good`, effect: 'repeatable' });
    if (way === 'on one that was opened ahead') {
      port.ahead.expect(server.url, ONE_CHANGE);
      await until('there were 1', () => sockets.length === 1);
    }
    const effect = way === 'on one that was kept' ? 'repeatable' : 'change';
    const error: unknown = await port.send({ ...request, effect }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoAnswer);
    expect(error instanceof KeptConnectionClosed ? 'kept was closed' : (error as NoAnswer).left).toBe(known);
    expect(sockets).toHaveLength(1);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['breaks', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['never ends', () => undefined],
  ])('on a connection whose handshake was begun ahead and %s: never', async (_what, happens) => {
    const sockets: Socket[] = [];
    const server = await serving(startTcp((socket) => void (sockets.push(socket), happens(socket))));
    const url = `https://127.0.0.1:${server.port}/book`;
    port.ahead.expect(url, ONE_CHANGE);
    await until('there were 1', () => sockets.length === 1);
    const error: unknown = await port
      .send({ method: 'POST', url, json: {}, timeoutMs: DEADLINE_MS })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ left: 'never' });
  });
});

function serve(socket: Socket, sockets: Socket[], happens: (socket: Socket) => void): void {
  sockets.push(socket);
  socket.on('data', (chunk) => {
    const text = chunk.toString('latin1');
    if (text.includes('/good')) socket.write(ANSWER);
    else if (/^[A-Z]+ /.test(text)) happens(socket);
  });
}

describe('a connection that was kept', () => {
  it('is closed before the time that its server has announced', async () => {
    const server = await Counting.start((response) => response.writeHead(200, { 'Keep-Alive': 'timeout=2' }).end('{}'));
    await get(server.url);
    expect(server.open).toBe(1);
    await until('0 are open', () => server.open === 0);
  });

  it('and turned out to be closed has its request sent again at once, for those who repeat nothing themselves', async () => {
    let closing = false;
    const server = await Counting.start((response) => (closing ? response.destroy() : response.end('{}')));
    const again = sendingAgain(port);
    await get(server.url, again);
    closing = true;
    const asked = get(server.url, again).catch((error: unknown) => error);
    await until('there were 2', () => server.sockets.length === 2);
    expect(await asked).toBeInstanceOf(NoAnswer);
    expect(server.requests).toEqual([2, 1]);
  });
});
