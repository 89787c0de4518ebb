import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ImsArea } from '../../src/ims/calls/ims-area.js';
import type { ImsClient, ImsSettings, ImsTools } from '../../src/ims/calls/client.js';
import { createImsClient } from '../../src/ims/calls/client.js';
import type { UsageStore } from '../../src/ims/limits/daily-budget.js';
import type { Priority } from '../../src/ims/operations.js';
import { silentLog } from '../../src/log.js';
import { createHttpPort } from '../../src/transport/http-port.js';

export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly atMs: number;
}

/** `reset` ends the connection without an answer. */
export type Scripted =
  | {
      readonly status: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: Record<string, string>;
    }
  | 'reset';

export type Script = (request: Arrived, count: number) => Scripted | Promise<Scripted>;

export interface TestIms {
  readonly client: ImsClient;
  readonly clock: { now(): Date; forward(ms: number): void };
  /** What the client waited for. */
  readonly waitsMs: readonly number[];
  /** Requests below the base address. */
  readonly calls: readonly Arrived[];
  readonly tokenRequests: readonly Arrived[];
  readonly url: string;
  area(priority?: Priority): ImsArea;
  close(): Promise<void>;
}

interface Scripts {
  /** Answers below the base address. */
  readonly api?: Script;
  readonly token?: Script;
  readonly settings?: Partial<ImsSettings>;
  readonly tools?: Partial<ImsTools>;
}

export const API_KEY = 'area-550-key';

/** A token of the usual kind: three parts, of which nobody checks the last. */
export function jwt(scope: string, mark = ''): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ scope, mark })}.signature`;
}

export const fullToken: Script = (_request, count) => ({
  status: 200,
  json: { token_type: 'Bearer', access_token: jwt('api/full', String(count)), expires_in: 3600 },
});

/** A client that talks to a real server on loopback; its clock stands still and its waits take no time. */
export async function startTestIms(scripts: Scripts = {}): Promise<TestIms> {
  const calls: Arrived[] = [];
  const tokenRequests: Arrived[] = [];
  const server = createServer((request, response) => {
    const isToken = request.url === '/oauth2/token';
    const log = isToken ? tokenRequests : calls;
    const script = isToken ? (scripts.token ?? fullToken) : (scripts.api ?? (() => ({ status: 200, json: {} })));
    void answer(request, response, { log, script });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let nowMs = Date.parse('2026-03-02T10:00:00Z');
  const clock = { now: () => new Date(nowMs), forward: (ms: number) => void (nowMs += ms) };
  const waitsMs: number[] = [];
  const sleep = async (ms: number) => void waitsMs.push(ms);
  const http = createHttpPort({ allowPrivateAddresses: 'allowed' });
  const client = createImsClient(
    { baseUrl: `${url}/2/`, authUrl: url, clientId: 'test', clientSecret: 'test-secret', ...scripts.settings },
    { http, clock, log: silentLog, usage: memoryUsage(), random: () => 0, sleep, ...scripts.tools },
  );
  return {
    client,
    clock,
    waitsMs,
    calls,
    tokenRequests,
    url,
    area: (priority) => client.area('550', API_KEY, priority),
    close: async () => {
      await client.close();
      http.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** What `src/db` does with a table. */
export function memoryUsage(): UsageStore & { readonly saved: Map<string, number> } {
  const saved = new Map<string, number>();
  const told = new Set<string>();
  return {
    saved,
    add: async (keyId, day, calls) => {
      const name = `${keyId} ${day}`;
      const sum = (saved.get(name) ?? 0) + calls;
      saved.set(name, sum);
      return sum;
    },
    firstToTell: async (keyId, day, percent) => {
      const name = `${keyId} ${day} ${percent}`;
      if (told.has(name)) return 'no';
      told.add(name);
      return 'yes';
    },
  };
}

interface Answering {
  readonly log: Arrived[];
  readonly script: Script;
}

async function answer(request: IncomingMessage, response: ServerResponse, { log, script }: Answering) {
  const atMs = performance.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = request;
  const arrived = { method, url, headers, body: Buffer.concat(chunks).toString(), atMs };
  log.push(arrived);
  const scripted = await script(arrived, log.length);
  if (scripted === 'reset') return request.socket.resetAndDestroy();
  response.writeHead(scripted.status, { 'content-type': 'application/json', ...scripted.headers });
  response.end(scripted.text ?? (scripted.json === undefined ? '' : JSON.stringify(scripted.json)));
}
