import type { LookupFunction } from 'node:net';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { afterEach, describe, expect, it } from '@jest/globals';
import { LinkRefused, NoAnswer } from '../../carriers/contract/index.js';
import { createHttpPort } from '../../src/transport/http-port.js';
import { createLinkFetcher } from '../../src/transport/link.js';
import { startHttp, startTcp } from './servers.js';
import type { Started } from './servers.js';

const LIMITS = { timeoutMs: 3_000, maxBytes: 100_000 };
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

/** As in earnest, but names lead where the test says; the one address at hand stands in for a public one. */
function fetcherWith(addresses: readonly string[], lookups: string[] = []) {
  const lookup: LookupFunction = (name, options, done) => {
    lookups.push(name);
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all === true) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family ?? 4);
  };
  const options = { lookup, allowIPAddressList: ['127.0.0.1'] };
  return createLinkFetcher({
    protocols: ['https:', 'http:'],
    agents: { http: new RequestFilteringHttpAgent(options), https: new RequestFilteringHttpsAgent(options) },
  });
}

describe('an address inside, however it is written', () => {
  it.each([
    ['decimal', 'https://2130706433/'],
    ['octal', 'https://0177.0.0.1/'],
    ['octal in one number', 'https://017700000001/'],
    ['hexadecimal', 'https://0x7f000001/'],
    ['mixed', 'https://0x7f.1/'],
    ['short', 'https://127.1/'],
    ['another of the loopback network', 'https://127.254.3.2/'],
    ['with a dot at its end', 'https://127.0.0.1./'],
    ['with other digits', 'https://①②⑦.⓪.⓪.①/'],
    ['percent-encoded', 'https://%31%32%37.0.0.1/'],
    ['nothing', 'https://0/'],
    ['all zeros', 'https://0.0.0.0/'],
    ['this network', 'https://0.1.2.3/'],
    ['private, 10', 'https://10.1.2.3/'],
    ['private, 172', 'https://172.16.0.1/'],
    ['private, 172, the last', 'https://172.31.255.255/'],
    ['private, 192', 'https://192.168.0.1/'],
    ['of a provider, behind its own translation', 'https://100.64.0.1/'],
    ['link-local', 'https://169.254.1.1/'],
    ['metadata of clouds', 'https://169.254.169.254/latest/meta-data/'],
    ['metadata in decimal', 'https://2852039166/'],
    ['for measurements', 'https://198.18.0.1/'],
    ['for documentation', 'https://192.0.2.1/'],
    ['multicast', 'https://224.0.0.1/'],
    ['reserved', 'https://240.0.0.1/'],
    ['broadcast', 'https://255.255.255.255/'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['IPv6 loopback in full', 'https://[0:0:0:0:0:0:0:1]/'],
    ['IPv6 nothing', 'https://[::]/'],
    ['IPv6 unique local', 'https://[fd00:ec2::254]/'],
    ['IPv6 link-local', 'https://[fe80::1]/'],
    ['IPv6 site-local', 'https://[fec0::1]/'],
    ['IPv6 multicast', 'https://[ff02::1]/'],
    ['IPv4 inside IPv6', 'https://[::ffff:127.0.0.1]/'],
    ['IPv4 inside IPv6, in hexadecimal', 'https://[::ffff:7f00:1]/'],
    ['IPv4 inside IPv6, metadata', 'https://[::ffff:a9fe:a9fe]/'],
    ['IPv4 translated', 'https://[::ffff:0:127.0.0.1]/'],
    ['IPv4 through NAT64', 'https://[64:ff9b::127.0.0.1]/'],
    ['IPv4 through local NAT64', 'https://[64:ff9b:1::7f00:1]/'],
    ['IPv4 through 6to4', 'https://[2002:7f00:1::]/'],
    ['IPv4 through Teredo', 'https://[2001:0:7f00:1::]/'],
    ['IPv6 for documentation', 'https://[2001:db8::1]/'],
    ['with a zone', 'https://[fe80::1%25eth0]/'],
  ])('is refused: %s', async (_how, link) => {
    await expect(guarded.fetchLink(link, LIMITS)).rejects.toThrow(LinkRefused);
  });

  it.each([
    ...[
      'ftp://labels.example/1.pdf',
      'data:application/pdf;base64,JVBERg==',
      'javascript:1',
      'blob:https://x/1',
      'ws://x/',
    ],
    ...[
      '//labels.example/1.pdf',
      '/1.pdf',
      '',
      ' ',
      'https://',
      'https://:443/',
      'https://labels.example:99999/',
      '\u0000',
    ],
  ])('is refused when it is none of the web: %j', async (link) => {
    await expect(guarded.fetchLink(link, LIMITS)).rejects.toThrow(LinkRefused);
  });

  it.each([
    'https://user@labels.example/',
    'https://:secret-0001@labels.example/',
    'https://a:secret-0001@b@c.example/',
  ])('is refused with credentials, and does not show them: %s', async (link) => {
    const refusal = await guarded.fetchLink(link, LIMITS).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LinkRefused);
    expect(String(refusal)).not.toContain('secret-0001');
  });
});

describe('a name', () => {
  it.each([
    ...[
      '127.0.0.2',
      '10.0.0.1',
      '169.254.169.254',
      '0.0.0.0',
      '100.100.100.200',
      '192.168.1.1',
      '::1',
      '::',
      'fe80::1',
    ],
    ...['fd00::1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '64:ff9b::a00:1', '2002:a00:1::'],
  ])('that leads to %s is refused before anything is sent there', async (address) => {
    await expect(fetcherWith([address])('https://labels.example/1.pdf', LIMITS)).rejects.toThrow(LinkRefused);
    await expect(fetcherWith([address])('http://labels.example/1.pdf', LIMITS)).rejects.toThrow(LinkRefused);
  });

  it('is refused when one of its addresses is inside', async () => {
    await expect(fetcherWith(['127.0.0.1', '10.0.0.1'])('http://labels.example/', LIMITS)).rejects.toThrow(LinkRefused);
  });

  it('is asked for once in each visit, so that it cannot lead elsewhere between check and use', async () => {
    const server = await serving((_request, response) => response.end('label'));
    const lookups: string[] = [];
    const answer = await fetcherWith(['127.0.0.1'], lookups)(`http://labels.example:${server.port}/`, LIMITS);
    expect([Buffer.from(answer.body).toString(), lookups]).toEqual(['label', ['labels.example']]);
  });

  it.each(['http://[::ffff:10.0.0.1]/', 'http://2852039166/', 'http://0/', 'http://[fd00:ec2::254]/'])(
    'that is fine may not redirect to %s',
    async (location) => {
      const server = await serving((_request, response) => response.writeHead(302, { Location: location }).end());
      const link = `http://labels.example:${server.port}/`;
      await expect(fetcherWith(['127.0.0.1'])(link, LIMITS)).rejects.toThrow(LinkRefused);
    },
  );

  it('may not redirect to a name that leads inside', async () => {
    const names: Record<string, string> = { 'labels.example': '127.0.0.1', 'inside.example': '10.0.0.1' };
    const lookup: LookupFunction = (name, options, done) => {
      const address = names[name] ?? '';
      if (options.all === true) done(null, [{ address, family: 4 }]);
      else done(null, address, 4);
    };
    const agent = new RequestFilteringHttpAgent({ lookup, allowIPAddressList: ['127.0.0.1'] });
    const fetchLink = createLinkFetcher({
      protocols: ['http:'],
      agents: { http: agent, https: new RequestFilteringHttpsAgent() },
    });
    const server = await serving((_request, response) =>
      response.writeHead(308, { Location: 'http://inside.example/' }).end(),
    );
    await expect(fetchLink(`http://labels.example:${server.port}/`, LIMITS)).rejects.toThrow(LinkRefused);
  });

  it('whose address nobody tells costs no more than the time there is', async () => {
    const lookup: LookupFunction = () => undefined;
    const agents = {
      http: new RequestFilteringHttpAgent({ lookup }),
      https: new RequestFilteringHttpsAgent({ lookup }),
    };
    const fetchLink = createLinkFetcher({ protocols: ['https:'], agents });
    await expect(fetchLink('https://labels.example/', { ...LIMITS, timeoutMs: 300 })).rejects.toThrow(NoAnswer);
  });
});

describe('what a link answers', () => {
  it('is not unpacked beyond its limit', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const server = await serving((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
    await expect(open.fetchLink(server.url, LIMITS)).rejects.toThrow(NoAnswer);
  });

  it('is not read on and on when it does not say how long it is', async () => {
    let sent = 0;
    const server = await serving((_request, response) => {
      const more = () => {
        sent += 10_000;
        if (!response.destroyed && response.write(Buffer.alloc(10_000))) setImmediate(more);
      };
      response.on('drain', more);
      more();
    });
    await expect(open.fetchLink(server.url, LIMITS)).rejects.toThrow(NoAnswer);
    expect(sent).toBeLessThan(50_000_000);
  });

  it.each([
    ['in its head', 'HTTP/1.1 200 OK\r\nX-Slow: '],
    ['in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n'],
  ])('has to be complete in time, though it trickles %s', async (_where, head) => {
    const server = await startTcp((socket) => {
      socket.write(head);
      const timer = setInterval(() => socket.write('x'), 50);
      socket.once('close', () => clearInterval(timer));
    });
    started.push(server);
    await expect(open.fetchLink(server.url, { ...LIMITS, timeoutMs: 400 })).rejects.toThrow(NoAnswer);
  });

  it('may not have a head without end', async () => {
    const server = await startTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const line = `X: ${'y'.repeat(1_000)}\r\n`;
      const timer = setInterval(() => socket.write(line.repeat(20)), 1);
      socket.once('close', () => clearInterval(timer));
    });
    started.push(server);
    await expect(open.fetchLink(server.url, LIMITS)).rejects.toThrow(NoAnswer);
  });
});
