import type { RequestListener } from 'node:http';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { afterEach, describe, expect, it } from '@jest/globals';
import { LinkRefused } from '../../carriers/contract/index.js';
import { createHttpPort } from '../../src/transport/http-port.js';
import { createLinkFetcher } from '../../src/transport/link.js';
import { startHttp } from './servers.js';
import type { Started } from './servers.js';

const LIMITS = { timeoutMs: 5_000, maxBytes: 100_000 };
const open = createHttpPort({ allowPrivateAddresses: 'allowed' });
const guarded = createHttpPort({ allowPrivateAddresses: 'refused' });
const started: Started[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});

async function serving(listener: RequestListener): Promise<Started> {
  const server = await startHttp(listener);
  started.push(server);
  return server;
}

function redirecting(location: string): RequestListener {
  return (_request, response) => response.writeHead(302, { Location: location }).end();
}

describe('a link', () => {
  it.each([
    ['plain http', 'http://labels.example/1.pdf'],
    ['a loopback address', 'https://127.0.0.1/1.pdf'],
    ['a loopback address in another spelling', 'https://2130706433/1.pdf'],
    ['a loopback address of IPv6', 'https://[::1]/1.pdf'],
    ['an IPv4 address inside an IPv6 one', 'https://[::ffff:10.0.0.1]/1.pdf'],
    ['a private network', 'https://192.168.1.1/1.pdf'],
    ['the address where clouds keep credentials', 'https://169.254.169.254/latest'],
    ['a name that resolves to a private address', 'https://localhost/1.pdf'],
    ['a password', 'https://user:pass@labels.example/1.pdf'],
    ['a file', 'file:///etc/hostname'],
    ['something that is no address', 'label 1'],
  ])('is refused when it leads to %s', async (_case, link) => {
    await expect(guarded.fetchLink(link, LIMITS)).rejects.toThrow(LinkRefused);
  });

  it('shows neither path, query nor password in its refusal', async () => {
    const refusal = guarded.fetchLink('https://user:pass-0001@127.0.0.1/1.pdf?key=key-0001', LIMITS);
    await expect(refusal).rejects.toThrow(/^https:\/\/127\.0\.0\.1 comes with a password$/);
  });

  it('may be plain and local where private addresses are allowed', async () => {
    const server = await serving((_request, response) => response.end('label'));
    const answer = await open.fetchLink(`${server.url}/1.pdf`, LIMITS);
    expect(Buffer.from(answer.body).toString()).toBe('label');
  });

  it('that leads to a missing page is an answer', async () => {
    const server = await serving((_request, response) => response.writeHead(404).end());
    await expect(open.fetchLink(server.url, LIMITS)).resolves.toMatchObject({ status: 404 });
  });

  it('is not read beyond its limit', async () => {
    const server = await serving((_request, response) => response.end(Buffer.alloc(100_001)));
    await expect(open.fetchLink(server.url, LIMITS)).rejects.toMatchObject({ name: 'NoAnswer' });
  });
});

describe('a redirect', () => {
  function countdown(from: number): RequestListener {
    return (request, response) => {
      const left = Number(request.url?.slice(1) ?? from);
      if (left === 0) response.end('there');
      else response.writeHead(307, { Location: `/${left - 1}` }).end();
    };
  }

  it('is followed three times', async () => {
    const server = await serving(countdown(3));
    const answer = await open.fetchLink(`${server.url}/3`, LIMITS);
    expect(Buffer.from(answer.body).toString()).toBe('there');
  });

  it('is not followed a fourth time', async () => {
    const server = await serving(countdown(4));
    await expect(open.fetchLink(`${server.url}/4`, LIMITS)).rejects.toThrow(LinkRefused);
  });

  it.each(['file:///etc/hostname', 'http://user:pass@127.0.0.1/', 'http://'])(
    'to %s is refused even where private addresses are allowed',
    async (location) => {
      const server = await serving(redirecting(location));
      await expect(open.fetchLink(server.url, LIMITS)).rejects.toThrow(LinkRefused);
    },
  );

  it.each(['http://10.0.0.1/inside', 'http://[::1]/inside', 'http://0.0.0.0/inside'])(
    'from a public address to %s is refused when it comes to connecting',
    async (location) => {
      const visits: string[] = [];
      const server = await serving((request, response) => {
        visits.push(request.url ?? '');
        redirecting(location)(request, response);
      });
      // The one address at hand stands in for a public one.
      const agents = { allowIPAddressList: ['127.0.0.1'] };
      const fetchLink = createLinkFetcher({
        protocols: ['http:'],
        agents: { http: new RequestFilteringHttpAgent(agents), https: new RequestFilteringHttpsAgent(agents) },
      });
      await expect(fetchLink(`${server.url}/outside`, LIMITS)).rejects.toThrow(LinkRefused);
      expect(visits).toEqual(['/outside']);
    },
  );

  it('does not buy more time', async () => {
    const server = await serving((request, response) => {
      setTimeout(() => redirecting('/again')(request, response), 200);
    });
    await expect(open.fetchLink(server.url, { ...LIMITS, timeoutMs: 300 })).rejects.toMatchObject({ name: 'NoAnswer' });
  });
});
