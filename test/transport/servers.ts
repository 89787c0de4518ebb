import { createServer as createHttpServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface Started {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/** A web server on a free port of 127.0.0.1. */
export function startHttp(listener: RequestListener): Promise<Started> {
  return listen(createHttpServer(listener));
}

/** A server of bare connections, for answers that no web server gives. */
export function startTcp(onConnection: (socket: Socket) => void): Promise<Started> {
  return listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      onConnection(socket);
    }),
  );
}

/** Answers the first bytes of every connection with `reply`. */
export function startReplying(reply: (socket: Socket) => void): Promise<Started> {
  return startTcp((socket) => socket.once('data', () => reply(socket)));
}

export function listen(server: Server): Promise<Started> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      open.forEach((socket) => socket.destroy());
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({ port, url: `http://127.0.0.1:${port}`, close });
    });
  });
}
