import nock from 'nock';
import type { HttpPort } from '../../carriers/contract/index.js';
import type { Answer } from './exchanges.js';
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

/** A carrier at its own address that remembers what it was asked. */
export interface ExactCarrier {
  readonly http: HttpPort;
  readonly arrived: readonly Arrived[];
  close(): void;
}

// It takes over at import, for every test in this process: here only while an exact carrier is wanted.
nock.restore();

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * @param origin protocol and host of the carrier's real API; no request leaves this process
 * @param answers each once, the last one as often as anything else is asked
 */
export function startExactCarrier(origin: string, ...answers: readonly [...Answer[], Answer]): ExactCarrier {
  const arrived: Arrived[] = [];
  const answerAt = (place: number): Answer => answers[place] ?? (answers.at(-1) as Answer);
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
        body: bodyOf(asked, String(this.req.headers['content-type'])),
      });
      return replyWith(answerAt(arrived.length - 1));
    });
  }
  const close = () => {
    nock.cleanAll();
    nock.restore();
  };
  return { http: testHttpPort, arrived, close };
}

function replyWith({ status, headers, body }: Answer): [number, string, Record<string, string>] {
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain' : 'application/json';
  return [status, isText ? body : JSON.stringify(body), { 'content-type': type, ...headers }];
}

/** JSON of a vendor's media type arrives as text. */
function bodyOf(asked: unknown, contentType: string): unknown {
  if (typeof asked !== 'string' || !/\+json\b/.test(contentType)) return asked === '' ? undefined : asked;
  return asked === '' ? undefined : JSON.parse(asked);
}
