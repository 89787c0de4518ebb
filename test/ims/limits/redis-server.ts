import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { freePort } from '../../../src/cli/sandbox/child-service.js';

const STARTS_WITHIN_MS = 90_000;
const PASSWORD = 'redis-password-0001';

/** A Redis of its own on loopback, without a memory beyond its life. */
export interface RedisServer {
  readonly url: string;
  readonly password: string;
  start(): Promise<void>;
  /** At once, as a machine that loses power. */
  kill(): Promise<void>;
}

function findRedis(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, 'redis-server')).find((path) => existsSync(path)) ?? null;
}

async function redisServer(command: string): Promise<RedisServer> {
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  let child: ChildProcess | null = null;
  return {
    url: `redis://:${PASSWORD}@127.0.0.1:${port}`,
    password: PASSWORD,
    start: async () => {
      child = spawn(command, [...options, '--requirepass', PASSWORD], { stdio: 'ignore' });
      await listens(port);
    },
    kill: async () => {
      const ended = new Promise((done) => child?.once('exit', done) ?? done(null));
      if (child?.kill('SIGKILL') === true) await ended;
      child = null;
    },
  };
}

async function listens(port: number): Promise<void> {
  const end = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    const there = await new Promise<'yes' | 'no'>((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        done('yes');
      });
      socket.once('error', () => done('no'));
    });
    if (there === 'yes') return;
    if (Date.now() > end) throw new Error('redis-server does not listen');
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** A way to Redis that takes so long for each round trip. */
export async function slowRoad(url: string, roundTripMs: number): Promise<{ readonly url: string; close(): void }> {
  const { port, password } = new URL(url);
  const sockets = new Set<Socket>();
  const later = (to: Socket) => (bytes: Buffer) => void setTimeout(() => to.write(bytes), roundTripMs / 2);
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', later(to));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `redis://:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Tests with a Redis; named as skipped where this machine has none. */
export function describeWithRedis(what: string, describeWith: (redis: () => RedisServer) => void): void {
  const command = findRedis();
  if (command === null) {
    process.stderr.write(`${what}: skipped, no redis-server was found on this machine\n`);
    describe(what, () => {
      it.skip('skipped: no redis-server was found on this machine', () => undefined);
    });
    return;
  }
  describe(what, () => {
    let redis: RedisServer;
    beforeAll(async () => {
      redis = await redisServer(command);
      await redis.start();
    });
    afterAll(async () => redis?.kill());
    describeWith(() => redis);
  });
}
