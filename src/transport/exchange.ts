// As a whole, not by name: so that tests can put themselves in the way of a request.
import http from 'node:http';
import type { Agent as HttpAgent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import https from 'node:https';
import type { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import axios, { isAxiosError } from 'axios';
import type { AxiosResponse } from 'axios';
import type { HttpAnswer, HttpRequest } from '../../carriers/contract/http-port.js';
import { NoAnswer, NotPermitted } from '../../carriers/contract/http-port.js';
import { UnreadableBody, bodyOf, headersOf } from './body.js';

export const MAX_BODY_BYTES = 20_000_000;

/** Where connections come from: kept open or fresh, filtered or not, is the agents' business. */
export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** One request as it goes out on the wire. */
export interface Outgoing {
  readonly method: HttpRequest['method'];
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Ends the exchange wherever it stands; see `deadlineIn`. */
  readonly deadline: AbortSignal;
  /** Counted before and after decompression. */
  readonly maxAnswerBytes: number;
  readonly agents: Agents;
}

/**
 * One exchange: follows nothing, repeats nothing.
 * @returns any status, with the whole body
 * @param permitted asked at once, and again when the connection stands: without it nothing leaves
 * @throws NotPermitted
 * @throws NoAnswer with method, host and path; never a query, header or body, and never the library's error object,
 *   which carries all of them
 */
export async function exchange(outgoing: Outgoing, permitted: () => boolean): Promise<HttpAnswer> {
  if (!permitted()) throw notPermitted(outgoing);
  const departure = watchDeparture(permitted);
  try {
    const answer = await ask(outgoing, departure.transport);
    const headers = headersOf(answer.headers);
    const body = await bodyOf({ status: answer.status, headers, body: answer.data }, outgoing.maxAnswerBytes);
    return { status: answer.status, headers, body };
  } catch (error) {
    if (departure.stopped()) throw notPermitted(outgoing);
    const because = outgoing.deadline.aborted ? 'no complete answer in time' : reason(error);
    const what = `${outgoing.method} ${shown(outgoing.url)}: ${because}`;
    if (departure.keptWasClosed() && isClosing(error)) throw new KeptConnectionClosed(what, 'perhaps');
    throw new NoAnswer(what, departure.left());
  }
}

/**
 * A connection that was kept from an earlier request turned out to be closed before an answer began. As a rule the request
 * was never read: what may be repeated is sent again at once, on a connection of its own.
 */
export class KeptConnectionClosed extends NoAnswer {}

function isClosing(error: unknown): boolean {
  return isAxiosError(error) && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function notPermitted({ method, url }: Outgoing): NotPermitted {
  return new NotPermitted(`${method} ${shown(url)}: held back, since it is somebody else's work now`);
}

/** Time left may be computed, and come out negative or broken: then it is over already, and nothing leaves. */
export function deadlineIn(timeoutMs: number): AbortSignal {
  return timeoutMs >= 1 ? AbortSignal.timeout(Math.floor(timeoutMs)) : AbortSignal.abort();
}

/** An address for messages: a query or a user part may hold a token. */
export function shown(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

function ask(outgoing: Outgoing, transport: Transport): Promise<AxiosResponse<Buffer>> {
  return axios.request<Buffer>({
    method: outgoing.method,
    url: outgoing.url.href,
    headers: { 'User-Agent': 'waybridge', 'Accept-Encoding': 'gzip', ...outgoing.headers },
    data: outgoing.body,
    signal: outgoing.deadline,
    transport,
    httpAgent: outgoing.agents.http,
    httpsAgent: outgoing.agents.https,
    responseType: 'arraybuffer',
    // Its own decompression takes a compressed body that was cut short for a whole one.
    decompress: false,
    maxContentLength: outgoing.maxAnswerBytes,
    maxBodyLength: MAX_BODY_BYTES,
    maxRedirects: 0,
    proxy: false,
    validateStatus: () => true,
  });
}

interface Transport {
  request(options: RequestOptions, onAnswer: (answer: IncomingMessage) => void): ClientRequest;
}

/**
 * Tells whether a request can have left: not a byte of it is written before its connection stands, with TLS before the
 * handshake is done and the certificate accepted. Whatever happens earlier (no such name, refused, unreachable, bad
 * certificate, deadline) is a proven `never`; whatever happens later, or on a reused connection, is `perhaps`.
 */
function watchDeparture(permitted: () => boolean): {
  readonly transport: Transport;
  readonly left: () => 'never' | 'perhaps';
  /** Whether it was held back for want of permission. */
  readonly stopped: () => boolean;
  /** Whether it met a connection that was kept, and no answer began. */
  readonly keptWasClosed: () => boolean;
} {
  let left: 'never' | 'perhaps' = 'never';
  let stopped = false;
  let sent: ClientRequest | null = null;
  let answered = false;
  const transport: Transport = {
    request(options, onAnswer) {
      const secure = options.protocol === 'https:';
      const request = secure ? https.request(options, onAnswer) : http.request(options, onAnswer);
      sent = request.once('response', () => (answered = true));
      const leaves = () => {
        stopped = !permitted();
        if (stopped) request.destroy();
        else left = 'perhaps';
      };
      return request.once('socket', (socket) => {
        if (isStanding(socket)) leaves();
        else socket.once(secure ? 'secureConnect' : 'connect', leaves);
      });
    },
  };
  return {
    ...{ transport, left: () => left, stopped: () => stopped },
    keptWasClosed: () => sent?.reusedSocket === true && !answered,
  };
}

/** One that was opened ahead may have connected, and be in the handshake of TLS. */
function isStanding(socket: Socket & { readonly secureConnecting?: boolean }): boolean {
  return !socket.connecting && socket.secureConnecting !== true;
}

function reason(error: unknown): string {
  if (error instanceof UnreadableBody) return error.message;
  if (!(error instanceof Error)) return 'failed';
  // The library gives one code to "too large" and "cut short"; its two sentences tell them apart and quote nothing.
  if (isAxiosError(error) && error.code === 'ERR_BAD_RESPONSE') return error.message;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
