import nock from 'nock';
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

/** A carrier at its own address that gives one answer to everything and remembers what it was asked. */
export interface ExactCarrier {
  readonly http: HttpPort;
  readonly arrived: readonly Arrived[];
  close(): void;
}

// It takes over at import, for every test in this process: here only while an exact carrier is wanted.
nock.restore();

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** @param origin protocol and host of the carrier's real API; no request leaves this process */
export function startExactCarrier(origin: string, answer: Exchange['answer']): ExactCarrier {
  const arrived: Arrived[] = [];
  const text = typeof answer.body === 'string';
  const headers = { 'content-type': text ? 'text/plain' : 'application/json', ...answer.headers };
  const body = text ? String(answer.body) : JSON.stringify(answer.body);
  nock.activate();
  const scope = nock(origin).persist();
  for (const method of METHODS) {
    scope.intercept(/./, method).reply(function (uri, asked) {
      const { pathname, searchParams } = new URL(uri, origin);
      arrived.push({
        method,
        url: origin + pathname,
        query: Object.fromEntries(searchParams),
        headers: this.req.headers,
        body: asked === '' ? undefined : asked,
      });
      return [answer.status, body, headers];
    });
  }
  const close = () => {
    nock.cleanAll();
    nock.restore();
  };
  return { http: testHttpPort, arrived, close };
}
