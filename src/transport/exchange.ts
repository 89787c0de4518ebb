// Imports the whole module, so that tests can intercept requests.
import http from 'node:http';
import type { Agent as HttpAgent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import https from 'node:https';
import type { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { AxiosHeaders, getAdapter, isAxiosError } from 'axios';
import type { AxiosResponse } from 'axios';
import type { HttpAnswer, HttpRequest } from '../../carriers/contract/http-port.js';
import { BodyTooLarge, NoAnswer, NotPermitted } from '../../carriers/contract/http-port.js';
import { UnreadableBody, bodyOf, headersOf } from './body.js';

/** The limit of an answer, and of a request that names no other limit. */
export const MAX_BODY_BYTES = 20_000_000;

/** The source of connections; the agents decide whether they are kept or new, and which addresses they refuse. */
export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** One request as it is sent. */
export interface Outgoing {
  readonly method: HttpRequest['method'];
  readonly url: URL;
  /** The address in messages; missing: `shownAddress`. */
  readonly shown?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Missing: `MAX_BODY_BYTES`. */
  readonly maxBodyBytes?: number | undefined;
  /** Aborts the exchange at any stage; see `deadlineIn`. */
  readonly deadline: AbortSignal;
  /** The limit of the body before and after decompression. */
  readonly maxAnswerBytes: number;
  readonly agents: Agents;
}

/**
 * One exchange; follows no redirect and repeats nothing.
 * @returns any status, with the whole body
 * @param permitted called at once, and again when the connection is established; when it returns `false`, nothing is
 *   sent
 * @throws NotPermitted
 * @throws BodyTooLarge
 * @throws NoAnswer with method, host and path; never a query, header or body, and never the library's error object,
 *   which carries all of them
 */
export async function exchange(outgoing: Outgoing, permitted: () => boolean): Promise<HttpAnswer> {
  if (!permitted()) throw notPermitted(outgoing);
  requireSendable(outgoing);
  const departure = watchDeparture(permitted);
  try {
    const answer = await ask(outgoing, departure.transport);
    const headers = headersOf(answer.headers);
    const body = await bodyOf({ status: answer.status, headers, body: answer.data }, outgoing.maxAnswerBytes);
    return { status: answer.status, headers, body };
  } catch (error) {
    if (departure.stopped()) throw notPermitted(outgoing);
    const because = outgoing.deadline.aborted ? 'no complete answer in time' : reason(error);
    const what = `${nameOf(outgoing)}: ${because}`;
    if (departure.keptWasClosed() && isClosing(error)) throw new KeptConnectionClosed(what, 'perhaps');
    throw new NoAnswer(what, departure.left());
  }
}

/**
 * The server closed a kept connection before it began to answer. As a rule it did not read the request, so a repeatable
 * request is sent again at once on a new connection.
 */
export class KeptConnectionClosed extends NoAnswer {}

function isClosing(error: unknown): boolean {
  return isAxiosError(error) && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function requireSendable(outgoing: Outgoing): void {
  const { body, maxBodyBytes = MAX_BODY_BYTES } = outgoing;
  const bytes = body?.length ?? 0;
  if (bytes <= maxBodyBytes) return;
  const sizes = `${(bytes / 1e6).toFixed(1)} MB, and at most ${maxBodyBytes / 1e6} MB are sent`;
  throw new BodyTooLarge(`${nameOf(outgoing)}: the body has ${sizes}`);
}

function notPermitted(outgoing: Outgoing): NotPermitted {
  return new NotPermitted(`${nameOf(outgoing)}: not sent, because its lease has ended`);
}

function nameOf({ method, url, shown = shownAddress(url) }: Outgoing): string {
  return `${method} ${shown}`;
}

/** A computed time may be negative or NaN: then the deadline has passed, and nothing is sent. */
export function deadlineIn(timeoutMs: number): AbortSignal {
  return timeoutMs >= 1 ? AbortSignal.timeout(Math.floor(timeoutMs)) : AbortSignal.abort();
}

/** An address for messages, without its query and user part, which may hold a token. */
function shownAddress(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/**
 * The part of the library that sends. What it has around that (defaults, interceptors, transformations) is not needed, and took
 * a third of its time here.
 */
const send = getAdapter('http');

async function ask(outgoing: Outgoing, transport: Transport): Promise<AxiosResponse<Buffer>> {
  // The library looks at the signal only while it waits.
  outgoing.deadline.throwIfAborted();
  return send({
    method: outgoing.method,
    url: outgoing.url.href,
    headers: new AxiosHeaders({ 'User-Agent': 'waybridge', 'Accept-Encoding': 'gzip', ...outgoing.headers }),
    data: outgoing.body,
    signal: outgoing.deadline,
    transport,
    httpAgent: outgoing.agents.http,
    httpsAgent: outgoing.agents.https,
    responseType: 'arraybuffer',
    // axios would accept a compressed body that was cut short as complete.
    decompress: false,
    maxContentLength: outgoing.maxAnswerBytes,
    maxBodyLength: Infinity,
    maxRedirects: 0,
    proxy: false,
    validateStatus: () => true,
  });
}

interface Transport {
  request(options: RequestOptions, onAnswer: (answer: IncomingMessage) => void): ClientRequest;
}

/**
 * Tells whether a request may have been sent. No byte of it is written before its connection is established, with TLS
 * before the handshake has ended and the certificate is accepted. A failure before that (no such name, refused,
 * unreachable, bad certificate, deadline) is a proven `never`; a later one, or one on a kept connection, is `perhaps`.
 */
function watchDeparture(permitted: () => boolean): {
  readonly transport: Transport;
  readonly left: () => 'never' | 'perhaps';
  /** Whether the request was not sent because `permitted` returned `false`. */
  readonly stopped: () => boolean;
  /** Whether it used a kept connection, and no answer began. */
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
        if (isEstablished(socket)) leaves();
        else socket.once(secure ? 'secureConnect' : 'connect', leaves);
      });
    },
  };
  return {
    ...{ transport, left: () => left, stopped: () => stopped },
    keptWasClosed: () => sent?.reusedSocket === true && !answered,
  };
}

/** A connection that was opened ahead may be connected and still in the TLS handshake. */
function isEstablished(socket: Socket & { readonly secureConnecting?: boolean }): boolean {
  return !socket.connecting && socket.secureConnecting !== true;
}

function reason(error: unknown): string {
  if (error instanceof UnreadableBody) return error.message;
  if (!(error instanceof Error)) return 'failed';
  // axios has one code for "too large" and "cut short"; only its messages tell them apart, and they quote nothing of
  // the answer.
  if (isAxiosError(error) && error.code === 'ERR_BAD_RESPONSE') return error.message;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
