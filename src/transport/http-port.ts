import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import type { HttpPort, HttpRequest } from '../../carriers/contract/http-port.js';
import { NoAnswer } from '../../carriers/contract/http-port.js';
import { MAX_BODY_BYTES, deadlineIn, exchange } from './exchange.js';
import type { Agents, Outgoing } from './exchange.js';
import { createLinkFetcher } from './link.js';
import { type LinkPoster, createLinkPoster } from './post-link.js';
import { sendGuard } from './send-guard.js';

/** Well below five seconds, after which the most impatient servers close an idle connection. */
const IDLE_CONNECTION_MS = 2_000;

export interface HttpPortSettings {
  /** Whether `fetchLink` goes to private addresses and over plain http. Addresses given to `send` are the operator's. */
  readonly allowPrivateAddresses: 'allowed' | 'refused';
}

/**
 * The one way out, for carriers and the IMS alike.
 *
 * A server may close an idle connection in the moment we send on it, and then nobody knows whether the request was
 * read. So a POST, which is how nearly everything that must not happen twice is asked for, has a connection of its own
 * (a TLS session is resumed, which makes that cheap), unless it is said to be repeatable. Everything else shares
 * connections that were idle for less than two seconds, so that the calls of one booking follow each other without a
 * new handshake.
 *
 * @returns `links`: to addresses that were given to us; `close` ends idle connections, for the end of the process
 */
export function createHttpPort(settings: HttpPortSettings): HttpPort & { readonly links: LinkPoster; close(): void } {
  const fresh = agents('fresh');
  const shared = agents('shared');
  const links = settings.allowPrivateAddresses === 'allowed' ? fresh : publicAgents();
  const rules = {
    protocols: settings.allowPrivateAddresses === 'allowed' ? ['https:', 'http:'] : ['https:'],
    privateAddresses: settings.allowPrivateAddresses,
    agents: links,
  };
  return {
    send: async (request) => exchange(outgoing(request, standsAlone(request) ? fresh : shared), sendGuard()),
    fetchLink: createLinkFetcher(rules),
    links: createLinkPoster(rules),
    close: () => [fresh, shared, links].forEach(destroy),
  };
}

function outgoing(request: HttpRequest, agents: Agents): Outgoing {
  const { type, body } = payload(request);
  return {
    method: request.method,
    url: addressOf(request),
    headers: { ...(type === null ? {} : { 'Content-Type': type }), ...request.headers },
    body,
    deadline: deadlineIn(request.timeoutMs),
    maxAnswerBytes: MAX_BODY_BYTES,
    agents,
  };
}

function payload({ json, form }: HttpRequest): { readonly type: string | null; readonly body: Buffer | undefined } {
  if (form !== undefined)
    return {
      type: 'application/x-www-form-urlencoded',
      body: Buffer.from(new URLSearchParams({ ...form }).toString()),
    };
  if (json !== undefined) return { type: 'application/json', body: Buffer.from(JSON.stringify(json)) };
  return { type: null, body: undefined };
}

/** A space is written %20, which every server reads; not +, which some take for a plus. */
function addressOf(request: HttpRequest): URL {
  if (!URL.canParse(request.url)) throw new NoAnswer(`${request.method}: the address cannot be read`, 'never');
  const url = new URL(request.url);
  const query = Object.entries(request.query ?? {}).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  url.search = [url.search.slice(1), ...query].filter((part) => part !== '').join('&');
  return url;
}

function agents(connections: 'fresh' | 'shared'): Agents {
  const options = connections === 'fresh' ? { keepAlive: false } : { keepAlive: true, timeout: IDLE_CONNECTION_MS };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

/** Loopback, private, link-local and other special addresses are refused, also when a name resolves to them. */
function publicAgents(): Agents {
  return { http: new RequestFilteringHttpAgent(), https: new RequestFilteringHttpsAgent() };
}

function destroy(these: Agents): void {
  these.http.destroy();
  these.https.destroy();
}

function standsAlone({ method, effect }: HttpRequest): boolean {
  return effect === undefined ? method === 'POST' : effect === 'change';
}
