import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';

const ANSWERED_WITHIN_MS = 20_000;

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

export function endShots(): void {
  agent.destroy();
}

/** Sends it. A server that refuses a body may close before it has read all of it: that is an answer, when it came. */
export function shoot(port: number, { method, path, headers, body }: Shot): Promise<Hit> {
  return new Promise((done) => {
    const timer = setTimeout(() => done('no answer in time'), ANSWERED_WITHIN_MS);
    const end = (hit: Hit) => {
      clearTimeout(timer);
      done(hit);
    };
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      answer.resume().once('close', () => end(answer.statusCode ?? 'no status'));
    });
    request.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
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
