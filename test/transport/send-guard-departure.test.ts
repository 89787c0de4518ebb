import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, createServer as createHttpsServer } from 'node:https';
import { afterEach, describe, expect, it } from '@jest/globals';
import { NoAnswer, NotPermitted, wasNotPermitted } from '../../carriers/contract/index.js';
import type { HttpAnswer } from '../../carriers/contract/index.js';
import { whilePermitted, withoutSendGuard } from '../../src/transport/send-guard.js';
import { deadlineIn, exchange } from '../../src/transport/exchange.js';
import { createHttpPort } from '../../src/transport/http-port.js';
import { selfSignedCertificate } from './certificate.js';
import { type Started, listen, startHttp } from './servers.js';

const port = createHttpPort({ allowPrivateAddresses: 'allowed' });
const never = () => false;
const open: (() => unknown)[] = [];
let arrived: string[] = [];

afterEach(async () => {
  arrived = [];
  await Promise.all(open.splice(0).map((close) => close()));
  port.close();
});

async function startNoting(): Promise<Started> {
  const server = await startHttp((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  open.push(server.close);
  return server;
}

async function failure(work: Promise<HttpAnswer>): Promise<unknown> {
  return work.then(
    () => 'there was an answer',
    (error: unknown) => error,
  );
}

/** Permission that is there when the request is made, and gone when its connection stands. */
function atFirst(): () => boolean {
  let asked = 0;
  return () => {
    asked += 1;
    return asked === 1;
  };
}

describe('a request of work that is not held any more', () => {
  it.each(['GET', 'POST'] as const)('does not leave: %s', async (method) => {
    const server = await startNoting();
    const error = await failure(
      whilePermitted(never, () => port.send({ method, url: `${server.url}/x?secret=1`, timeoutMs: 5_000 })),
    );
    expect(error).toBeInstanceOf(NotPermitted);
    expect(error).toMatchObject({ left: 'never' });
    expect(String(error)).not.toContain('secret');
    // What came later would have come after what left earlier.
    await port.send({ method: 'GET', url: `${server.url}/permitted`, timeoutMs: 5_000 });
    expect(arrived).toEqual(['GET /permitted']);
  });

  it('does not leave on a connection that stands already', async () => {
    const server = await startNoting();
    const get = (path: string) => port.send({ method: 'GET', url: `${server.url}/${path}`, timeoutMs: 5_000 });
    await get('first');
    expect(await failure(whilePermitted(atFirst(), () => get('second')))).toBeInstanceOf(NotPermitted);
    await get('third');
    expect(arrived).toEqual(['GET /first', 'GET /third']);
  });

  it('does not leave when the permission ends while the connection is being made', async () => {
    const server = await startNoting();
    const request = { method: 'POST', url: server.url, json: {}, timeoutMs: 5_000 } as const;
    const error = await failure(whilePermitted(atFirst(), () => port.send(request)));
    expect(error).toBeInstanceOf(NotPermitted);
    await port.send({ method: 'GET', url: `${server.url}/permitted`, timeoutMs: 5_000 });
    expect(arrived).toEqual(['GET /permitted']);
  });

  it('does not leave when the permission ends during the handshake of TLS', async () => {
    const certificate = selfSignedCertificate(new Date());
    const tls = createHttpsServer(certificate, (request, response) => {
      arrived.push(`${request.method} ${request.url}`);
      response.end('{}');
    });
    let held = true;
    tls.on('connection', () => (held = false));
    const server = await listen(tls);
    const agents = { http: new HttpAgent(), https: new HttpsAgent({ ca: certificate.cert }) };
    open.push(server.close);
    const ask = (permitted: () => boolean) =>
      exchange(
        {
          ...{ method: 'POST', url: new URL(`https://127.0.0.1:${server.port}/book`), headers: {} },
          ...{ body: Buffer.from('{}'), deadline: deadlineIn(5_000), maxAnswerBytes: 1_000, agents },
        },
        permitted,
      );
    expect(await failure(ask(() => held))).toBeInstanceOf(NotPermitted);
    expect(held).toBe(false);
    expect((await ask(() => true)).status).toBe(200);
    expect(arrived).toEqual(['POST /book']);
  });

  it('does not follow a link', async () => {
    const server = await startNoting();
    const fetching = whilePermitted(never, () => port.fetchLink(server.url, { timeoutMs: 5_000, maxBytes: 1_000 }));
    expect(await failure(fetching)).toBeInstanceOf(NotPermitted);
    expect(arrived).toEqual([]);
  });

  it('leaves when it is for everybody', async () => {
    const server = await startNoting();
    const request = { method: 'GET', url: server.url, timeoutMs: 5_000 } as const;
    await whilePermitted(never, () => withoutSendGuard(() => port.send(request)));
    expect(arrived).toEqual(['GET /']);
  });
});

describe('that a request was held back', () => {
  it('is found in whatever it led to, and in nothing else', () => {
    const wrapped = new Error('outer', { cause: new Error('inner', { cause: new NotPermitted('held back') }) });
    const endless: Error & { cause?: unknown } = new Error('endless');
    endless.cause = endless;
    expect(
      [wrapped, new NoAnswer('ECONNREFUSED', 'never'), endless, 'text'].map((one) => wasNotPermitted(one)),
    ).toEqual([true, false, false, false]);
  });
});
