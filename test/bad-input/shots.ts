import { Agent, request as httpRequest } from 'node:http';
import { type Socket, connect } from 'node:net';

const ANSWERED_WITHIN_MS = 20_000;
/** The service closes a connection that has waited for 5 s; the request of a busy client may cross that. */
const MAY_BE_CLOSED_AFTER_MS = 4_500;

/** One request, valid as HTTP. */
export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** A status; or why there was none. */
export type Hit = number | string;

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
/** When each connection was answered last. */
const lastUse = new WeakMap<Socket, number>();

export function endShots(): void {
  agent.destroy();
}

/**
 * Sends it. A server that refuses a body may close before it has read all of it: that is an answer, when it came. What
 * meets a connection that waited for long, and is closed, is sent again, as HTTP lets a client do.
 */
export function shoot(port: number, shot: Shot): Promise<Hit> {
  const { method, path, headers, body } = shot;
  return new Promise((done) => {
    const timer = setTimeout(() => done('no answer in time'), ANSWERED_WITHIN_MS);
    const end = (hit: Hit) => {
      clearTimeout(timer);
      done(hit);
    };
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      const { socket } = answer;
      answer.resume().once('close', () => {
        lastUse.set(socket, performance.now());
        end(answer.statusCode ?? 'no status');
      });
    });
    let waitedMs = 0;
    request.once('socket', (socket) => (waitedMs = performance.now() - (lastUse.get(socket) ?? Infinity)));
    request.once('error', (error: NodeJS.ErrnoException) => {
      const crossed = request.reusedSocket && waitedMs > MAY_BE_CLOSED_AFTER_MS;
      if (crossed && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) void shoot(port, shot).then(end);
      else end(error.code ?? error.message);
    });
    request.end(body ?? undefined);
  });
}

/** Writes bytes to a connection of its own, and closes its half. @returns all that came back, until the end */
export function shootRaw(port: number, bytes: Buffer): Promise<string> {
  return new Promise((done) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.setTimeout(ANSWERED_WITHIN_MS, () => socket.destroy());
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.once('close', () => done(answer));
  });
}
