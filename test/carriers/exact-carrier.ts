import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpPort } from '../../carriers/contract/index.js';
import type { Exchange } from './exchanges.js';
import { testHttpPort } from './test-http-port.js';

/** What arrived, as it was on the wire. */
export interface Arrived {
  readonly method: string;
  /** The address that was meant, without the query. */
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** A carrier that gives one answer to everything and remembers what it was asked. */
export interface ExactCarrier {
  /** The real HTTP port, except that what is meant for the carrier's own host arrives here. */
  readonly http: HttpPort;
  readonly arrived: readonly Arrived[];
  close(): Promise<void>;
}

export async function startExactCarrier(answer: Exchange['answer']): Promise<ExactCarrier> {
  const arrived: Arrived[] = [];
  const meant: string[] = [];
  const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  const type = typeof answer.body === 'string' ? 'text/plain' : 'application/json';
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://here');
    const origin = new URL(meant[arrived.length] ?? 'http://nobody').origin;
    const text = Buffer.concat(await request.toArray()).toString();
    arrived.push({
      method: request.method ?? '',
      url: origin + pathname,
      query: Object.fromEntries(searchParams),
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    });
    response.writeHead(answer.status, { 'content-type': type, ...answer.headers }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    http: {
      ...testHttpPort,
      send: (request) => {
        const url = new URL(request.url);
        meant.push(request.url);
        return testHttpPort.send({ ...request, url: here + url.pathname + url.search });
      },
    },
    arrived,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
