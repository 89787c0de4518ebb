import type { Agent } from 'node:http';
import type { Socket } from 'node:net';

/** A used connection is closed after this long at the latest; a server that names no time keeps one for a minute or more. */
export const KEPT_MAX_MS = 55_000;
/** Before a server that closes early does so, we do. */
const MARGIN_MS = 1_000;
/** What was seen of a server counts for this long: it may have been restarted in that moment. */
const LEARNED_FOR_MS = 10 * 60_000;

interface Use {
  /** When its last answer had been read. */
  freeAtMs: number;
  /** When the next request took it; `null`: none yet. */
  takenAtMs: number | null;
  /** Bytes that had been read by then. */
  bytesRead: number;
}

/**
 * Keeps used connections for as long as their server does: as its `Keep-Alive` says, or as was seen when it closed one. The agent's
 * `timeout` must be `KEPT_MAX_MS`.
 */
export function keepAsLongAsTheServer(agent: Agent): void {
  const uses = new WeakMap<object, Use>();
  const learned = new Map<string, { readonly ms: number; readonly untilMs: number }>();
  const { keepSocketAlive, reuseSocket } = agent;

  function limitMs(server: string): number {
    const seen = learned.get(server);
    return seen && Date.now() < seen.untilMs ? seen.ms : KEPT_MAX_MS;
  }

  /** Closed by the server, without an answer to whoever used it last. */
  function learn(socket: Socket, server: string): void {
    const use = uses.get(socket);
    if (!use || socket.bytesRead !== use.bytesRead) return;
    const ms = Math.max(MARGIN_MS, (use.takenAtMs ?? Date.now()) - use.freeAtMs - MARGIN_MS);
    if (ms < limitMs(server)) learned.set(server, { ms, untilMs: Date.now() + LEARNED_FOR_MS });
  }

  agent.keepSocketAlive = (duplex) => {
    const socket = duplex as Socket;
    const server = `${socket.remoteAddress}:${socket.remotePort}`;
    // Node returns whether the connection is kept; its types say nothing of it.
    const keeps = keepSocketAlive.call(agent, socket) as unknown;
    if (keeps === false) return false;
    if (!uses.has(socket)) socket.once('timeout', () => uses.delete(socket)).once('close', () => learn(socket, server));
    uses.set(socket, { freeAtMs: Date.now(), takenAtMs: null, bytesRead: socket.bytesRead });
    // What the server announced is there already.
    socket.setTimeout(Math.min(socket.timeout ?? KEPT_MAX_MS, limitMs(server)));
    return true;
  };
  agent.reuseSocket = (duplex, request) => {
    const use = uses.get(duplex);
    if (use) use.takenAtMs = Date.now();
    reuseSocket.call(agent, duplex, request);
  };
}
