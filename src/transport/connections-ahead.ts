import type { Agent } from 'node:http';
import { type Socket, isIP } from 'node:net';
import type { SecureContext } from 'node:tls';

/** After this long an unused connection is closed: by then a server may have lost its patience for the first request. */
const UNUSED_MAX_MS = 10_000;
/** So long after the last call of `stand` its connections are held ready. */
const STANDS_FOR_MS = 30_000;
const TENDED_EVERY_MS = 1_000;
/** After a connection could not be opened, none is opened ahead for this long. */
const AFTER_FAILURE_MS = 5_000;
/** For one server. */
const MAX_UNUSED = 12;
/** Servers that connections are opened to ahead; for more, connections are opened when they are needed. */
const MAX_SERVERS = 100;

/** How many requests are about to be sent at the same time. */
export interface Need {
  /** Requests that may be repeated: a connection that was used before will do. */
  readonly repeatable: number;
  /** Requests that must not be repeated: each needs a connection that was never used. */
  readonly changes: number;
}

/** A server and the way to it. */
export interface Place {
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
}

export interface AheadTools {
  /** Opens a connection. */
  readonly openers: { readonly http: Agent; readonly https: Agent };
  /** One for all connections: making it takes longer than the rest of a handshake. */
  readonly secureContext: SecureContext;
  /** @returns how many used connections to the server wait for the next request */
  readonly kept: (place: Place) => number;
}

/**
 * Connections that are opened before the request that needs them. Nothing was ever sent on such a connection: for its first request
 * it is as good as one that is opened in that moment, and the handshakes are over.
 */
export class ConnectionsAhead {
  private readonly servers = new Map<string, Server>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly tools: AheadTools) {}

  /** Opens what is missing for requests that leave within a second. */
  expect(url: string, need: Need): void {
    this.at(url)?.open(need);
  }

  /** Holds so many connections ready for half a minute: whoever sends now will probably send again. */
  stand(url: string, need: Need): void {
    this.at(url)?.stand(need, Date.now() + STANDS_FOR_MS);
  }

  /** @returns an unused connection, which may still be in its handshake; `null`: there is none */
  take(protocol: string, host: string, port: number): Unused | null {
    return this.servers.get(keyOf({ protocol, host, port }))?.take() ?? null;
  }

  close(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    for (const server of this.servers.values()) server.close();
    this.servers.clear();
  }

  private at(address: string): Server | null {
    const url = new URL(address);
    const { protocol, hostname } = url;
    const host = hostname.replace(/^\[|\]$/g, '');
    const place = { protocol, host, port: Number(url.port) || (protocol === 'https:' ? 443 : 80) };
    const known = this.servers.get(keyOf(place));
    if (known) return known;
    if (this.servers.size >= MAX_SERVERS) return null;
    const server = new Server(place, this.tools);
    this.servers.set(keyOf(place), server);
    this.timer ??= setInterval(() => this.tend(), TENDED_EVERY_MS).unref();
    return server;
  }

  private tend(): void {
    for (const [key, server] of this.servers) if (!server.tend()) this.servers.delete(key);
    if (this.servers.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}

function keyOf({ protocol, host, port }: Place): string {
  return `${protocol}//${host}:${port}`;
}

interface Unused {
  readonly socket: Socket;
  readonly openedAtMs: number;
  /** Hands it over to a request; until then it is destroyed as soon as its server says or ends something. */
  handOver(): Socket;
}

class Server {
  private unused: readonly Unused[] = [];
  private standing: Need = { repeatable: 0, changes: 0 };
  private standsUntilMs = 0;
  private failedAtMs = -Infinity;

  constructor(
    private readonly place: Place,
    private readonly tools: AheadTools,
  ) {}

  open({ repeatable, changes }: Need): void {
    if (Date.now() - this.failedAtMs < AFTER_FAILURE_MS) return;
    const wanted = Math.max(0, repeatable - this.tools.kept(this.place)) + changes;
    while (this.unused.length < Math.min(wanted, MAX_UNUSED)) this.openOne();
  }

  stand(need: Need, untilMs: number): void {
    this.standing = need;
    this.standsUntilMs = untilMs;
  }

  take(): Unused | null {
    const oldest = this.unused.find(({ socket }) => !socket.destroyed) ?? null;
    this.unused = this.unused.filter((each) => each !== oldest);
    // The next change needs one too; the others have time until they are tended.
    if (this.isStanding()) setImmediate(() => this.open({ repeatable: 0, changes: this.standing.changes }));
    return oldest;
  }

  /** @returns whether there is anything left to tend */
  tend(): boolean {
    for (const { socket, openedAtMs } of this.unused) if (Date.now() - openedAtMs > UNUSED_MAX_MS) socket.destroy();
    if (this.isStanding()) this.open(this.standing);
    return this.isStanding() || this.unused.length > 0;
  }

  close(): void {
    this.standsUntilMs = 0;
    for (const { socket } of this.unused) socket.destroy();
  }

  private isStanding(): boolean {
    return Date.now() < this.standsUntilMs;
  }

  private openOne(): void {
    const { protocol, host, port } = this.place;
    const opener = this.tools.openers[protocol === 'https:' ? 'https' : 'http'];
    const { secureContext } = this.tools;
    const options = { host, port, servername: isIP(host) ? '' : host, noDelay: true, secureContext };
    // The agent finds the TLS session to resume by this.
    const socket = opener.createConnection({
      ...options,
      _agentKey: opener.getName(options),
    } as typeof options) as Socket;
    // A server that says something unasked is about to close.
    const drop = () => socket.destroy();
    const failed = () => (this.failedAtMs = Date.now());
    socket
      .unref()
      .on('data', drop)
      .on('end', drop)
      .on('close', () => (this.unused = this.unused.filter((each) => each.socket !== socket)))
      .on('error', failed);
    const handOver = () =>
      socket
        .off('data', drop)
        .off('end', drop)
        .off('error', failed)
        // The request listens from the next turn on.
        .on('error', () => undefined)
        .ref();
    this.unused = [...this.unused, { socket, openedAtMs: Date.now(), handOver }];
  }
}

/** Makes an agent use the connections that were opened ahead, before it opens one. */
export function drawingOn(agent: Agent, protocol: string, { opener, ahead }: Source): void {
  agent.createConnection = (options, created = () => undefined) => {
    const open = () => opener.createConnection(options, created) as Socket;
    const unused = ahead.take(protocol, options.host ?? '', Number(options.port));
    if (unused === null) return open();
    // Its end may have arrived and not have been read yet: twice, since the first may come before the system is asked.
    setImmediate(() => setImmediate(() => created(null, unused.socket.destroyed ? open() : unused.handOver())));
    return undefined;
  };
}

interface Source {
  readonly opener: Agent;
  readonly ahead: ConnectionsAhead;
}
