import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions as HttpsAgentOptions } from 'node:https';
import { type SecureContext, createSecureContext } from 'node:tls';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import type { HttpPort, HttpRequest } from '../../carriers/contract/http-port.js';
import { NoAnswer } from '../../carriers/contract/http-port.js';
import { ConnectionsAhead, type ServerAddress, useConnectionsAhead } from './connections-ahead.js';
import { KEPT_MAX_MS, keepAsLongAsTheServer } from './kept-connections.js';
import { MAX_BODY_BYTES, deadlineIn, exchange } from './exchange.js';
import type { Agents, Outgoing } from './exchange.js';
import { PROTOCOLS, createLinkFetcher } from './link.js';
import { type LinkPoster, createLinkPoster } from './post-link.js';
import { sendGuard } from './send-guard.js';

export interface HttpPortSettings {
  /** Whether `fetchLink` may use private addresses and plain http. Addresses for `send` come from the operator. */
  readonly allowPrivateAddresses: 'allowed' | 'refused';
}

export interface OwnHttpPort extends HttpPort {
  /** Posts to addresses that users have given. */
  readonly links: LinkPoster;
  /** Opens connections before the requests that need them. */
  readonly ahead: Pick<ConnectionsAhead, 'expect' | 'keepReady'>;
  /** Closes idle connections at the end of the process. */
  close(): void;
}

/** axios has TCP probe a silent connection after this time. Node is given the same time: else both would set theirs for each request. */
const PROBE_AFTER_MS = 60_000;

/**
 * Sends all requests, to carriers and to the IMS.
 *
 * A server may close an idle connection in the moment in which a request is sent on it; then it is unknown whether the
 * server read the request. So every request other than GET gets a connection on which nothing was sent before, opened
 * ahead or new, unless the caller declares it repeatable. GET and repeatable requests share connections, which are kept
 * for as long as the server keeps them.
 *
 * @throws KeptConnectionClosed (only `send`) instead of NoAnswer, so that a repeatable request can be sent again at
 *   once
 */
export function createHttpPort(settings: HttpPortSettings): OwnHttpPort {
  const openers = agents({ keepAlive: false });
  shareSecureContext(openers.https);
  const shared = agents({ keepAlive: true, keepAliveMsecs: PROBE_AFTER_MS, timeout: KEPT_MAX_MS });
  const own = agents({ keepAlive: false });
  const ahead = new ConnectionsAhead({ openers, kept: (place) => keptIn(shared, place) });
  for (const each of [shared, own]) {
    useConnectionsAhead(each.http, 'http:', { opener: openers.http, ahead });
    useConnectionsAhead(each.https, 'https:', { opener: openers.https, ahead });
  }
  keepAsLongAsTheServer(shared.http);
  keepAsLongAsTheServer(shared.https);
  const links = settings.allowPrivateAddresses === 'allowed' ? agents({ keepAlive: false }) : publicAgents();
  const rules = {
    protocols: PROTOCOLS[settings.allowPrivateAddresses],
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

/**
 * One TLS context for all connections that it opens: creating one takes longer than the rest of a handshake. The first
 * connection creates it.
 */
function shareSecureContext(opener: HttpsAgent): void {
  const open = opener.createConnection.bind(opener);
  let secureContext: SecureContext | null = null;
  opener.createConnection = (options, opened) => {
    secureContext ??= createSecureContext();
    return open({ ...options, secureContext } as typeof options, opened);
  };
}

function keptIn({ http, https }: Agents, { protocol, host, port }: ServerAddress): number {
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
    maxBodyBytes: request.maxBodyBytes,
    deadline: deadlineIn(request.timeoutMs),
    maxAnswerBytes: MAX_BODY_BYTES,
    agents,
  };
}

const FORM = 'application/x-www-form-urlencoded';
/** Some servers refuse these without a type, also where the body is empty. */
const NEEDS_TYPE: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

function payload({ method, json, form }: HttpRequest): {
  readonly type: string | null;
  readonly body: Buffer | undefined;
} {
  if (form !== undefined) return { type: FORM, body: Buffer.from(new URLSearchParams({ ...form }).toString()) };
  if (json !== undefined) return { type: 'application/json', body: Buffer.from(JSON.stringify(json)) };
  return { type: NEEDS_TYPE.has(method) ? FORM : null, body: undefined };
}

/** A space becomes %20, which every server reads; some servers read + as a plus sign. */
function addressOf(request: HttpRequest): URL {
  const url = readAddress(request);
  const query = Object.entries(request.query ?? {}).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  url.search = [url.search.slice(1), ...query].filter((part) => part !== '').join('&');
  return url;
}

function readAddress({ method, url }: HttpRequest): URL {
  try {
    return new URL(url);
  } catch {
    throw new NoAnswer(`${method}: the address cannot be read`, 'never');
  }
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
