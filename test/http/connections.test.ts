import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import express from 'express';
import { createBoundedServer, maxConnections } from '../../src/http/connections.js';
import { until } from '../support/harness.js';
import { keepLog } from '../support/log-lines.js';

const MOST = 8;
const open: { server?: Server; sockets: Socket[] } = { sockets: [] };

afterEach(() => {
  open.sockets.forEach((socket) => socket.destroy());
  open.sockets = [];
  open.server?.closeAllConnections();
  open.server?.close();
});

async function serve(trusted: readonly string[] = []) {
  const { log, lines } = keepLog();
  const app = express();
  app.set('trust proxy', trusted);
  app.get('/', (_request, response) => void response.send('here'));
  const server = createBoundedServer(app, log, MOST);
  open.server = server;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, lines };
}

/** Connects, asks, and keeps the connection. @returns whether it was answered */
async function isAnswered(port: number, from: string): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  open.sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  return new Promise((done) => {
    socket.once('data', () => done(true));
    socket.once('close', () => done(false));
  });
}

const many = (address: string) => Array.from({ length: MOST + 4 }, () => address);

describe('connections that stay open', () => {
  it('are bounded for one address, so that another one is still answered', async () => {
    const { port, lines } = await serve();
    // At once: an idle one is ended after some seconds.
    const all = await Promise.all(many('127.0.0.1').map((address) => isAnswered(port, address)));
    expect(all.filter((isOpen) => isOpen)).toHaveLength(MOST / 2);
    expect(await isAnswered(port, '127.0.0.2')).toBe(true);
    expect(lines.filter(({ event }) => event === 'connection refused')).toHaveLength(1);
  });

  it('are bounded for all together, and make room when they end', async () => {
    const { port } = await serve();
    const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3'].flatMap(many);
    const all = await Promise.all(addresses.map((address) => isAnswered(port, address)));
    expect(all.filter((isOpen) => isOpen).length).toBeLessThanOrEqual(MOST);
    open.sockets.forEach((socket) => socket.destroy());
    await until('there is room again', () => isAnswered(port, '127.0.0.1'));
  });

  it('may all be those of a trusted proxy, which connects for everybody', async () => {
    const { port } = await serve(['loopback']);
    const all = await Promise.all(many('127.0.0.1').map((address) => isAnswered(port, address)));
    expect(all.filter((isOpen) => isOpen)).toHaveLength(MOST);
  });
});

it('takes at most half of the files that the process may open', () => {
  expect(maxConnections(256)).toBe(128);
  expect(maxConnections(1_000_000)).toBe(1_000);
  expect(maxConnections(1)).toBe(1);
});
