import { createServer, request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxOptions, Sandbox, SandboxCarrier } from '../../src/sandbox/sandbox.js';
import { startSandbox } from '../../src/sandbox/sandbox.js';
import { watchConformity } from './conformity.js';

const opened: { close(): Promise<void> }[] = [];

/** A sandbox on a free port; `closeAll` ends it, and fails when it did not answer as it describes itself. */
export async function openSandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const conformity = watchConformity();
  const usual = { port: 0, carriers: quietCarriers, limits: { requestsPerSecond: null }, ...conformity.options };
  const sandbox = await startSandbox({ ...usual, ...options });
  opened.push({ close: () => conformity.verify(sandbox).finally(() => sandbox.close()) });
  return sandbox;
}

export async function closeAll(): Promise<void> {
  const closings = await Promise.allSettled(opened.splice(0).map((each) => each.close()));
  for (const closing of closings) if (closing.status === 'rejected') throw closing.reason;
}

export interface Answer {
  readonly status: number;
  // What came is looked at freely: a test asserts its shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
  readonly headers: Headers;
}

export async function tokenOf(sandbox: Sandbox, client = 'full'): Promise<string> {
  const answer = await askToken(sandbox, { client });
  return answer.body.access_token;
}

export async function askToken(
  sandbox: Sandbox,
  wish: { readonly client?: string; readonly secret?: string; readonly form?: string } = {},
): Promise<Answer> {
  const { client = 'full', secret = `${client}-secret`, form = 'grant_type=client_credentials' } = wish;
  const authorization = `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  return read(await fetch(`${sandbox.authUrl}/oauth2/token`, { method: 'POST', headers, body: form }));
}

export interface Call {
  readonly token?: string;
  readonly apiKey?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Ask = (request: string, call?: Call) => Promise<Answer>;

/**
 * With it, a request has a connection of its own. The sandbox closes a connection after five idle seconds; a process that
 * has to wait as long for the processor would send the next request on a connection that is closed in the same moment.
 */
export const OWN_CONNECTION = { connection: 'close' } as const;

/** Calls the IMS as the client `full` in area 1, unless told otherwise; `request` is e.g. `GET /shipments`. */
export async function clientOf(sandbox: Sandbox, client = 'full'): Promise<Ask> {
  const known = await tokenOf(sandbox, client);
  return async (request, { token = known, apiKey = 'area-1-key', body, headers = {} } = {}) => {
    const [method = 'GET', path = '/'] = request.split(' ');
    const answer = await fetch(`${sandbox.imsBaseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-api-key': apiKey,
        'content-type': 'application/json',
        ...OWN_CONNECTION,
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return read(answer);
  };
}

export async function read(answer: Response): Promise<Answer> {
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') && text !== '';
  return { status: answer.status, body: isJson ? JSON.parse(text) : text, headers: answer.headers };
}

/** What one GET gets at the level of the connection. */
export interface Bare {
  readonly status: number | null;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** How it ended. */
  readonly end: 'complete' | 'cut';
}

export function getBare(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Bare> {
  return new Promise((resolve) => {
    const request = httpRequest(url, { headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('error', () => undefined);
      response.on('close', () => {
        const end = response.complete ? 'complete' : 'cut';
        resolve({ status: response.statusCode ?? null, headers: response.headers, body, end });
      });
    });
    request.on('error', () => resolve({ status: null, headers: {}, body: '', end: 'cut' }));
    request.end();
  });
}

export interface Listener {
  readonly url: string;
  /** Bodies in the order they came. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly heard: any[];
  readonly headers: IncomingHttpHeaders[];
}

/** A real receiver of events; `statuses` are its first answers, then 202. */
export async function openListener(statuses: readonly number[] = []): Promise<Listener> {
  const heard: unknown[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const answers = [...statuses];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    heard.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    headers.push(request.headers);
    response.writeHead(answers.shift() ?? 202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  opened.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return { url: `http://127.0.0.1:${address.port}/events`, heard, headers };
}

/** The areas of a sandbox know these by name; what a test asks of them is the IMS's side. */
const quietCarriers = ['Pretend', 'Bring', 'GLS', 'DAO'].map((name): SandboxCarrier => {
  const id = name.toLowerCase();
  const simulator = async () => () => ({ carrier: id, handle: () => undefined, bookings: () => [] });
  return { adapter: { id, name }, simulator };
});

/** A carrier that books whatever is posted to it. */
export const tinyCarrier: SandboxCarrier = {
  adapter: { id: 'tiny', name: 'Tiny', requestFields: { secret: ['stikord'] } },
  simulator: async () => (settings) => {
    const references: string[] = [];
    return {
      carrier: 'tiny',
      handle: async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        if (request.method === 'POST') references.push(JSON.parse(Buffer.concat(chunks).toString('utf8')).reference);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(JSON.stringify({ url: request.url, link: `${settings.publicUrl}/labels/1` }).slice(0, 5));
        response.end(JSON.stringify({ url: request.url, link: `${settings.publicUrl}/labels/1` }).slice(5));
      },
      bookings: () =>
        references.map((reference) => ({ reference, carrierNumber: null, trackingNumbers: [], state: 'booked' })),
    };
  },
};
