import type { Agent } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A used connection is closed after this time at the latest; a server that names no time keeps one for a minute or
 * more.
 */
export const KEPT_MAX_MS = 55_000;
/** How much earlier than the server we close a connection. */
const MARGIN_MS = 1_000;
/** How long an observed closing time of a server counts: the server may only have restarted at that moment. */
const LEARNED_FOR_MS = 10 * 60_000;

interface Use {
  /** When its last answer was read. */
  freeAtMs: number;
  /** When the next request took the connection; `null`: none yet. */
  takenAtMs: number | null;
  /** Bytes that were read by then. */
  bytesRead: number;
}

/**
 * Keeps used connections for as long as their server does: for the time in its `Keep-Alive` header, or the time after
 * which it was seen to close one. The agent's `timeout` must be `KEPT_MAX_MS`.
 */
export function keepAsLongAsTheServer(agent: Agent): void {
  const uses = new WeakMap<object, Use>();
  const learned = new Map<string, { readonly ms: number; readonly untilMs: number }>();
  const { keepSocketAlive, reuseSocket } = agent;

  function limitMs(server: string): number {
    const seen = learned.get(server);
    return seen && Date.now() < seen.untilMs ? seen.ms : KEPT_MAX_MS;
  }

  /** The server closed it without an answer to its last request. */
  function learn(socket: Socket, server: string): void {
    const use = uses.get(socket);
    if (!use || socket.bytesRead !== use.bytesRead) return;
    const ms = Math.max(MARGIN_MS, (use.takenAtMs ?? Date.now()) - use.freeAtMs - MARGIN_MS);
    if (ms < limitMs(server)) learned.set(server, { ms, untilMs: Date.now() + LEARNED_FOR_MS });
  }

  agent.keepSocketAlive = (duplex) => {
    const socket = duplex as Socket;
    const server = `${socket.remoteAddress}:${socket.remotePort}`;
    // Node returns whether the connection is kept; the types lack this.
    const keeps = keepSocketAlive.call(agent, socket) as unknown;
    if (keeps === false) return false;
    if (!uses.has(socket)) socket.once('timeout', () => uses.delete(socket)).once('close', () => learn(socket, server));
    uses.set(socket, { freeAtMs: Date.now(), takenAtMs: null, bytesRead: socket.bytesRead });
    // The server's `Keep-Alive` time is set already.
    socket.setTimeout(Math.min(socket.timeout ?? KEPT_MAX_MS, limitMs(server)));
    return true;
  };
  agent.reuseSocket = (duplex, request) => {
    const use = uses.get(duplex);
    if (use) use.takenAtMs = Date.now();
    reuseSocket.call(agent, duplex, request);
  };
}
