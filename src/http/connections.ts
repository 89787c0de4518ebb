import { createServer as createHttpServer, type Server } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Express } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { maxOpenFiles } from '../db/open-files.js';
import type { Log } from '../log.js';

/** The time for the headers, from the first byte, or from the connection where no byte arrives. */
const HEADERS_WITHIN_MS = 15_000;
/** The time for a whole request: enough for a body of 1 MB over a slow line. */
const REQUEST_WITHIN_MS = 60_000;
/** How long a connection waits for the next request. */
const IDLE_FOR_MS = 5_000;
const LOOKS_EVERY_MS = 2_000;
const MAX_CONNECTIONS = 1_000;
const SAID_EVERY_MS = 60_000;

/** Half of the files that the process may open; the other half is for the database, the IMS and the carriers. */
export function maxConnections(maxFiles = maxOpenFiles()): number {
  return Math.max(1, Math.min(MAX_CONNECTIONS, Math.floor(maxFiles / 2)));
}

const TIMES = {
  headersTimeout: HEADERS_WITHIN_MS,
  requestTimeout: REQUEST_WITHIN_MS,
  keepAliveTimeout: IDLE_FOR_MS,
  connectionsCheckingInterval: LOOKS_EVERY_MS,
} as const;

/**
 * A server with a limited number of connections, so that they leave file descriptors for the database. One address
 * (IPv6: one network) may have half of them; a trusted proxy, which connects for all clients, may have all.
 */
export function createBoundedServer(app: Express, log: Log, most = maxConnections()): Server {
  const server = createHttpServer(TIMES, app);
  const isProxy = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const maxOfOne = Math.ceil(most / 2);
  const perAddress = new Map<string, number>();
  const say = atMostEvery(SAID_EVERY_MS, (of: string) => log.warn('connection refused', { most, of }));
  server.maxConnections = most;
  server.on('drop', () => say('all addresses'));
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isProxy(remoteAddress, 0)) return;
    const address = isIP(remoteAddress) ? ipKeyGenerator(remoteAddress) : remoteAddress;
    const open = (perAddress.get(address) ?? 0) + 1;
    if (open > maxOfOne) {
      say(address);
      socket.destroy();
      return;
    }
    perAddress.set(address, open);
    socket.once('close', () => {
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left === 0) perAddress.delete(address);
      else perAddress.set(address, left);
    });
  });
  return server;
}

function atMostEvery<Given>(ms: number, work: (given: Given) => void): (given: Given) => void {
  let last = -Infinity;
  return (given) => {
    const now = performance.now();
    if (now - last < ms) return;
    last = now;
    work(given);
  };
}
