import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions as HttpsAgentOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import type { HttpPort, HttpRequest } from '../../carriers/contract/http-port.js';
import { NoAnswer } from '../../carriers/contract/http-port.js';
import { ConnectionsAhead, type Place, drawingOn } from './connections-ahead.js';
import { KEPT_MAX_MS, keepAsLongAsTheServer } from './kept-connections.js';
import { MAX_BODY_BYTES, deadlineIn, exchange } from './exchange.js';
import type { Agents, Outgoing } from './exchange.js';
import { createLinkFetcher } from './link.js';
import { type LinkPoster, createLinkPoster } from './post-link.js';
import { sendGuard } from './send-guard.js';

export interface HttpPortSettings {
  /** Whether `fetchLink` goes to private addresses and over plain http. Addresses given to `send` are the operator's. */
  readonly allowPrivateAddresses: 'allowed' | 'refused';
}

export interface OwnHttpPort extends HttpPort {
  /** To addresses that were given to us. */
  readonly links: LinkPoster;
  /** Opens connections before the requests that need them. */
  readonly ahead: Pick<ConnectionsAhead, 'expect' | 'stand'>;
  /** Ends idle connections, for the end of the process. */
  close(): void;
}

/**
 * The one way out, for carriers and the IMS alike.
 *
 * A server may close an idle connection in the moment we send on it, and then nobody knows whether the request was
 * read. So everything but a GET has a connection on which nothing was sent before, unless it is said to be repeatable: one that
 * was opened ahead a few seconds ago, or a new one. Everything else shares connections that are kept for as long as the server
 * keeps them.
 *
 * @throws KeptConnectionClosed (of `send`) in place of NoAnswer, so that what may be repeated can be sent again at once
 */
export function createHttpPort(settings: HttpPortSettings): OwnHttpPort {
  const secureContext = createSecureContext();
  const openers = agents({ keepAlive: false });
  const shared = agents({ keepAlive: true, timeout: KEPT_MAX_MS, secureContext });
  const own = agents({ keepAlive: false, secureContext });
  const ahead = new ConnectionsAhead({ openers, secureContext, kept: (place) => keptIn(shared, place) });
  for (const each of [shared, own]) {
    drawingOn(each.http, 'http:', { opener: openers.http, ahead });
    drawingOn(each.https, 'https:', { opener: openers.https, ahead });
  }
  keepAsLongAsTheServer(shared.http);
  keepAsLongAsTheServer(shared.https);
  const links = settings.allowPrivateAddresses === 'allowed' ? agents({ keepAlive: false }) : publicAgents();
  const rules = {
    protocols: settings.allowPrivateAddresses === 'allowed' ? ['https:', 'http:'] : ['https:'],
    privateAddresses: settings.allowPrivateAddresses,
    agents: links,
  };
  return {
    send: async (request) => exchange(outgoing(request, standsAlone(request) ? own : shared), sendGuard()),
    fetchLink: createLinkFetcher(rules),
    links: createLinkPoster(rules),
    ahead,
    close: () => {
      ahead.close();
      [openers, shared, own, links].forEach(destroy);
    },
  };
}

function keptIn({ http, https }: Agents, { protocol, host, port }: Place): number {
  const { freeSockets } = protocol === 'https:' ? https : http;
  const names = Object.keys(freeSockets).filter((name) => name.startsWith(`${host}:${port}:`));
  return names.reduce((sum, name) => sum + (freeSockets[name]?.length ?? 0), 0);
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

function agents(options: HttpsAgentOptions): Agents {
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
  return effect === undefined ? method !== 'GET' : effect === 'change';
}
