import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  // What came is looked at freely: a test asserts its shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** `null`: hangs. What it answers from now on. */
  answer: (received: Received) => number | null;
  close(): Promise<void>;
}

/** A subscriber's server. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const one = { id: headers['webhook-id'] ?? '', headers, body, json: JSON.parse(body) };
      received.push(one);
      const status = receiver.answer(one);
      if (status !== null) response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: () => 204,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return receiver;
}

/** As a receiver checks it, by the scheme's own library. */
export function isSignedWith(secret: string, { body, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
