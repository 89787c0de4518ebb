import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:tls';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BodyTooLarge, NoAnswer } from '../../carriers/contract/index.js';
import type { HttpRequest } from '../../carriers/contract/index.js';
import { CLOSED_ADDRESS } from '../../carriers/testing/carrier-server.js';
import { createHttpPort } from '../../src/transport/http-port.js';
import { selfSignedCertificate } from './certificate.js';
import { listen, startHttp, startReplying, startTcp } from './servers.js';
import type { Started } from './servers.js';

const port = createHttpPort({ allowPrivateAddresses: 'refused' });
const started: Started[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
  port.close();
});

async function serving(server: Promise<Started>): Promise<Started> {
  started.push(await server);
  return server;
}

function booking(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'POST', url, json: { reference: 'WB-1' }, timeoutMs: 5_000, ...more };
}

async function failure(request: HttpRequest): Promise<NoAnswer> {
  const error: unknown = await port.send(request).then(
    () => new Error('there was an answer'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof NoAnswer) return error;
  throw error;
}

async function bodyText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

describe('a request', () => {
  it('carries method, query, headers and JSON, and brings back status, headers and bytes', async () => {
    const seen: unknown[] = [];
    const server = await serving(
      startHttp(async (request, response) => {
        seen.push(request.method, request.url, request.headers['x-key'], request.headers['content-type']);
        seen.push(JSON.parse(await bodyText(request)));
        response.writeHead(201, { 'X-Answer': 'yes', 'Set-Cookie': ['a=1', 'b=2'] }).end(Buffer.from([0, 255]));
      }),
    );
    const answer = await port.send(
      booking(`${server.url}/book?v=1`, { query: { to: 'Høje +1 & 2' }, headers: { 'X-Key': 'k' } }),
    );
    expect(seen).toEqual([
      'POST',
      '/book?v=1&to=H%C3%B8je%20%2B1%20%26%202',
      'k',
      'application/json',
      { reference: 'WB-1' },
    ]);
    expect(answer.status).toBe(201);
    expect(answer.headers).toMatchObject({ 'x-answer': 'yes', 'set-cookie': 'a=1, b=2' });
    expect([...answer.body]).toEqual([0, 255]);
  });

  it.each([
    [
      'another JSON type named by the adapter',
      { 'content-type': 'application/vnd.test+json' },
      'application/vnd.test+json',
    ],
    ['plain JSON otherwise', {}, 'application/json'],
  ])('sends %s', async (_case, headers, expected) => {
    const server = await serving(startHttp((request, response) => response.end(request.headers['content-type'])));
    const answer = await port.send(booking(server.url, { headers }));
    expect(Buffer.from(answer.body).toString()).toBe(expected);
  });

  it.each<[HttpRequest['method'], string]>([
    ['PUT', 'application/x-www-form-urlencoded'],
    ['GET', 'none'],
  ])('names a type without a body where servers ask for one: %s', async (method, expected) => {
    const server = await serving(
      startHttp((request, response) => response.end(request.headers['content-type'] ?? 'none')),
    );
    const answer = await port.send({ method, url: server.url, timeoutMs: 5_000 });
    expect(Buffer.from(answer.body).toString()).toBe(expected);
  });

  it('carries a form', async () => {
    const server = await serving(
      startHttp(async (request, response) => {
        response.end(`${request.headers['content-type']} ${await bodyText(request)}`);
      }),
    );
    const request = { method: 'POST', url: server.url, form: { grant: 'a b', id: 'ø&=' }, timeoutMs: 5_000 } as const;
    const answer = await port.send(request);
    expect(Buffer.from(answer.body).toString()).toBe('application/x-www-form-urlencoded grant=a+b&id=%C3%B8%26%3D');
  });

  it.each([200, 204, 302, 401, 404, 408, 429, 500, 503])('takes status %s for an answer', async (status) => {
    const server = await serving(startHttp((_request, response) => response.writeHead(status).end()));
    await expect(port.send(booking(server.url))).resolves.toMatchObject({ status });
  });

  it('does not follow a redirect: a POST stays a POST and its 302 is the answer', async () => {
    const seen: string[] = [];
    const server = await serving(
      startHttp((request, response) => {
        seen.push(`${request.method} ${request.url}`);
        response.writeHead(302, { Location: '/elsewhere' }).end();
      }),
    );
    const answer = await port.send(booking(`${server.url}/book`));
    expect(answer).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
    expect(seen).toEqual(['POST /book']);
  });

  it('unpacks a compressed answer', async () => {
    const server = await serving(
      startHttp((_request, response) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('{"ok":true}'));
      }),
    );
    const answer = await port.send(booking(server.url));
    expect(Buffer.from(answer.body).toString()).toBe('{"ok":true}');
  });

  it('is sent once only, whatever happens to it', async () => {
    let connections = 0;
    const server = await serving(
      startTcp((socket) => {
        connections += 1;
        socket.once('data', () => socket.destroy());
      }),
    );
    await failure(booking(server.url));
    expect(connections).toBe(1);
  });
});

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

function answering(text: string | Buffer): (socket: Socket) => void {
  return (socket) => socket.end(text);
}

/** More bytes than a port takes, as fast as the other side reads. */
function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(1_000_000);
  const more = (): void => {
    while (response.write(chunk));
    response.once('drain', more);
  };
  more();
}

describe('an answer that does not come whole', () => {
  it.each<[string, (socket: Socket) => void, RegExp]>([
    ['a connection reset before the answer', (socket) => socket.resetAndDestroy(), /ECONNRESET/],
    ['a connection closed without an answer', (socket) => socket.end(), /ECONNRESET/],
    [
      'a reset in the middle of the body',
      (socket) => socket.write(`${HEAD}Content-Length: 100\r\n\r\n{"a`, () => socket.resetAndDestroy()),
      /aborted|ECONNRESET/,
    ],
    ['a 200 whose body ends early', answering(`${HEAD}Content-Length: 100\r\n\r\n{"a":1}`), /aborted|cut short/],
    ['chunks without an end', answering(`${HEAD}Transfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n`), /aborted/],
    [
      'a compressed body that ends early',
      answering(
        Buffer.concat([Buffer.from(`${HEAD}Content-Encoding: gzip\r\n\r\n`), gzipSync('{"a":1}').subarray(0, 20)]),
      ),
      /compressed body is broken/,
    ],
    ['an encoding nobody asked for', answering(`${HEAD}Content-Encoding: zstd\r\n\r\nabc`), /encoded/],
    ['what is not HTTP', answering('SSH-2.0-test\r\n'), /HPE_/],
  ])('leaves the outcome open: %s', async (_case, reply, reason) => {
    const server = await serving(startReplying(reply));
    const error = await failure(booking(server.url));
    expect(error.left).toBe('perhaps');
    expect(error.message).toMatch(reason);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['too large', flood],
    [
      'too large when it is unpacked',
      (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(21_000_000))),
    ],
  ])('leaves the outcome open: %s', async (_case, reply) => {
    const server = await serving(startHttp((_request, response) => reply(response)));
    const error = await failure(booking(server.url));
    expect(error.left).toBe('perhaps');
    expect(error.message).toMatch(/20000000/);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['says nothing', () => undefined],
    [
      'trickles',
      (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('ends at the deadline when the other side %s', async (_case, reply) => {
    const server = await serving(startHttp((_request, response) => reply(response)));
    const error = await failure(booking(server.url, { timeoutMs: 1_000 }));
    expect(error.left).toBe('perhaps');
    expect(error.message).toMatch(/in time/);
  });
});

describe('a request that certainly did not leave', () => {
  it('is known when the connection is refused', async () => {
    const error = await failure(booking(`${CLOSED_ADDRESS}/book`));
    expect(error.left).toBe('never');
    expect(error.message).toMatch(/ECONNREFUSED/);
  });

  it('is known when the name does not exist', async () => {
    const error = await failure(booking('http://carrier.invalid/book'));
    expect(error.left).toBe('never');
    expect(error.message).toMatch(/ENOTFOUND|EAI_AGAIN/);
  });

  it.each(['no address at all', 'ftp://127.0.0.1/book'])('is known when the address is %s', async (url) => {
    await expect(failure(booking(url))).resolves.toMatchObject({ left: 'never' });
  });

  it('is known when its body is larger than the limit', async () => {
    const server = await serving(startHttp((_request, response) => response.end()));
    const error = await failure(booking(server.url, { json: 'x'.repeat(20_000_001) }));
    expect(error).toBeInstanceOf(BodyTooLarge);
    expect(error).toMatchObject({ left: 'never', message: expect.stringMatching(/20\.0 MB.*at most 20 MB/) });
  });

  it('may have a larger body where its caller says so', async () => {
    const server = await serving(
      startHttp(async (request, response) => response.end(String((await bodyText(request)).length))),
    );
    const answer = await port.send(booking(server.url, { json: 'x'.repeat(21_000_000), maxBodyBytes: 22_000_000 }));
    expect(Buffer.from(answer.body).toString()).toBe('21000002');
  });

  it.each([0, -1, 0.5])('is known when its time was over before it began (%s ms)', async (timeoutMs) => {
    const server = await serving(startHttp((_request, response) => response.end()));
    const error = await failure(booking(server.url, { timeoutMs }));
    expect(error.left).toBe('never');
  });

  it.each<[string, (socket: Socket) => void]>([
    ['the other side does not speak TLS', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['the connection breaks in the handshake', (socket) => socket.resetAndDestroy()],
    ['the deadline ends the handshake', () => undefined],
  ])('is known when %s', async (_case, reply) => {
    const server = await serving(startReplying(reply));
    const error = await failure(booking(`https://127.0.0.1:${server.port}/book`, { timeoutMs: 500 }));
    expect(error.left).toBe('never');
  });

  it('is known when the certificate is not accepted, and not a byte of it went out', async () => {
    let received = '';
    const tls = createTlsServer(selfSignedCertificate(new Date()), (socket) => {
      socket.on('data', (chunk) => (received += chunk.toString()));
      socket.on('error', () => undefined);
    });
    tls.on('tlsClientError', () => undefined);
    const server = await serving(listen(tls));
    const ended = new Promise((resolve) => tls.once('connection', (socket: Socket) => socket.once('close', resolve)));
    const error = await failure(booking(`https://127.0.0.1:${server.port}/book`));
    await ended;
    expect(error.left).toBe('never');
    expect(error.message).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT/);
    expect(received).toBe('');
  });
});

describe('connections', () => {
  async function connectionsFor(request: Pick<HttpRequest, 'method' | 'effect'>): Promise<number> {
    const seen = new Set<number | undefined>();
    const server = await serving(
      startHttp((request, response) => {
        seen.add(request.socket.remotePort);
        response.end('{}');
      }),
    );
    for (let call = 0; call < 3; call += 1) await port.send({ ...request, url: server.url, timeoutMs: 5_000 });
    return seen.size;
  }

  it.each<[string, number, Pick<HttpRequest, 'method' | 'effect'>]>([
    ['GET', 1, { method: 'GET' }],
    ['PATCH', 3, { method: 'PATCH' }],
    ['repeatable PATCH', 1, { method: 'PATCH', effect: 'repeatable' }],
    ['POST', 3, { method: 'POST' }],
    ['changing GET', 3, { method: 'GET', effect: 'change' }],
    ['changing POST', 3, { method: 'POST', effect: 'change' }],
    ['repeatable POST', 1, { method: 'POST', effect: 'repeatable' }],
  ])('three %s requests make %s connections', async (_words, expected, request) => {
    await expect(connectionsFor(request)).resolves.toBe(expected);
  });
});

describe('the message of an error', () => {
  it('names method, host and path, and nothing that may be secret', async () => {
    const refused = new URL(CLOSED_ADDRESS).host;
    const error = await failure(
      booking(`http://user:pass-0001@${refused}/book/1?token=token-0001`, {
        query: { key: 'key-0001' },
        headers: { Authorization: 'Bearer bearer-0001' },
        json: { secret: 'body-0001' },
      }),
    );
    expect(error.message).toBe(`POST http://${refused}/book/1: ECONNREFUSED`);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/0001/);
    expect(error.cause).toBeUndefined();
  });
});
