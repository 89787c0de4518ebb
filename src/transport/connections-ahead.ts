import type { Agent } from 'node:http';
import { type Socket, isIP } from 'node:net';

/** An unused connection is closed after this time, because a server may close one on which no request comes. */
const UNUSED_MAX_MS = 10_000;
/** How long after the last call of `keepReady` the connections are kept ready. */
const READY_FOR_MS = 30_000;
const MAINTAINED_EVERY_MS = 1_000;
/** How long no connection is opened ahead after one could not be opened. */
const AFTER_FAILURE_MS = 5_000;
/** The most unused connections to one server. */
const MAX_UNUSED = 12;
/** The most servers to which connections are opened ahead. */
const MAX_SERVERS = 100;

/** How many requests are about to be sent at the same time. */
export interface Need {
  /** Requests that may be repeated: they may use a kept connection. */
  readonly repeatable: number;
  /** Requests that must not be repeated: each needs an unused connection. */
  readonly changes: number;
}

/** The address of a server. */
export interface ServerAddress {
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
}

export interface AheadTools {
  /** Opens a connection. */
  readonly openers: { readonly http: Agent; readonly https: Agent };
  /** @returns how many used connections to the server wait for the next request */
  readonly kept: (address: ServerAddress) => number;
}

/**
 * Opens connections before the requests that need them, so that their handshakes are over by then. Nothing was sent on
 * such a connection, so for its first request it is as safe as a new one.
 */
export class ConnectionsAhead {
  private readonly servers = new Map<string, Server>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly tools: AheadTools) {}

  /** Opens the missing connections for requests that leave within a second. */
  expect(url: string, need: Need): void {
    this.at(url)?.open(need);
  }

  /**
   * Keeps this many connections ready for half a minute, because a server that gets a request now will probably get
   * another one.
   */
  keepReady(url: string, need: Need): void {
    this.at(url)?.keepReady(need, Date.now() + READY_FOR_MS);
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

  private at(given: string): Server | null {
    const url = new URL(given);
    const { protocol, hostname } = url;
    const host = hostname.replace(/^\[|\]$/g, '');
    const address = { protocol, host, port: Number(url.port) || (protocol === 'https:' ? 443 : 80) };
    const known = this.servers.get(keyOf(address));
    if (known) return known;
    if (this.servers.size >= MAX_SERVERS) return null;
    const server = new Server(address, this.tools);
    this.servers.set(keyOf(address), server);
    this.timer ??= setInterval(() => this.maintain(), MAINTAINED_EVERY_MS).unref();
    return server;
  }

  private maintain(): void {
    for (const [key, server] of this.servers) if (!server.maintain()) this.servers.delete(key);
    if (this.servers.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}

function keyOf({ protocol, host, port }: ServerAddress): string {
  return `${protocol}//${host}:${port}`;
}

interface Unused {
  readonly socket: Socket;
  readonly openedAtMs: number;
  /**
   * Hands the connection over to a request. Until then it is destroyed as soon as its server sends data or closes it.
   */
  handOver(): Socket;
}

class Server {
  private unused: readonly Unused[] = [];
  private ready: Need = { repeatable: 0, changes: 0 };
  private readyUntilMs = 0;
  private failedAtMs = -Infinity;

  constructor(
    private readonly address: ServerAddress,
    private readonly tools: AheadTools,
  ) {}

  open({ repeatable, changes }: Need): void {
    if (Date.now() - this.failedAtMs < AFTER_FAILURE_MS) return;
    const wanted = Math.max(0, repeatable - this.tools.kept(this.address)) + changes;
    while (this.unused.length < Math.min(wanted, MAX_UNUSED)) this.openOne();
  }

  keepReady(need: Need, untilMs: number): void {
    this.ready = need;
    this.readyUntilMs = untilMs;
  }

  take(): Unused | null {
    const oldest = this.unused.find(({ socket }) => !socket.destroyed) ?? null;
    this.unused = this.unused.filter((each) => each !== oldest);
    // The next change needs a connection too; the others are opened at the next round.
    if (this.isKeptReady()) setImmediate(() => this.open({ repeatable: 0, changes: this.ready.changes }));
    return oldest;
  }

  /** @returns whether connections are left to look after */
  maintain(): boolean {
    for (const { socket, openedAtMs } of this.unused) if (Date.now() - openedAtMs > UNUSED_MAX_MS) socket.destroy();
    if (this.isKeptReady()) this.open(this.ready);
    return this.isKeptReady() || this.unused.length > 0;
  }

  close(): void {
    this.readyUntilMs = 0;
    for (const { socket } of this.unused) socket.destroy();
  }

  private isKeptReady(): boolean {
    return Date.now() < this.readyUntilMs;
  }

  private openOne(): void {
    const { protocol, host, port } = this.address;
    const opener = this.tools.openers[protocol === 'https:' ? 'https' : 'http'];
    const options = { host, port, servername: isIP(host) ? '' : host, noDelay: true };
    // The key under which the agent stores the TLS session to resume.
    const socket = opener.createConnection({
      ...options,
      _agentKey: opener.getName(options),
    } as typeof options) as Socket;
    // A server that sends data without a request is about to close the connection.
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
        // The request adds its listeners in the next turn of the event loop.
        .on('error', () => undefined)
        .ref();
    this.unused = [...this.unused, { socket, openedAtMs: Date.now(), handOver }];
  }
}

/** Makes an agent use the connections that were opened ahead, before it opens one. */
export function useConnectionsAhead(agent: Agent, protocol: string, { opener, ahead }: Source): void {
  agent.createConnection = (options, created = () => undefined) => {
    const open = () => opener.createConnection(options, created) as Socket;
    const unused = ahead.take(protocol, options.host ?? '', Number(options.port));
    if (unused === null) return open();
    // The end of the connection may have arrived and not be read yet. Waits two turns of the event loop, because the
    // first may pass before the system is polled.
    setImmediate(() => setImmediate(() => created(null, unused.socket.destroyed ? open() : unused.handOver())));
    return undefined;
  };
}

interface Source {
  readonly opener: Agent;
  readonly ahead: ConnectionsAhead;
}
