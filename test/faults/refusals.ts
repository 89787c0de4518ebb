import http from 'node:http';
import type { ClientRequest, RequestOptions } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Coming, FaultMatch } from '../../src/sandbox/faults/faults.js';
import { Faults } from '../../src/sandbox/faults/faults.js';
import { Random } from '../../src/sandbox/control/random.js';

/** Connections that nobody takes. */
export interface Refusals {
  /** @param whose anything that tells it from the others */
  add(match: FaultMatch, whose: object): void;
  happened(whose: object): number;
  end(): void;
}

/**
 * A request that matches is led to a port where nobody listens: the refusal is the operating system's own. Whom it went
 * to is read from its address, as the sandbox does; `areaOfKey` knows the areas' keys.
 */
export async function startRefusals(areaOfKey: (key: string) => number | null): Promise<Refusals> {
  const planned = new Faults(new Random(1));
  const owners: object[] = [];
  const port = await closedPort();
  const { request } = http;
  const lead = (options: RequestOptions, onAnswer: Parameters<typeof request>[2]): ClientRequest => {
    const isRefused = planned.faultsFor(comingOf(options, areaOfKey)).fault !== null;
    return request(isRefused ? { ...options, port } : options, onAnswer);
  };
  Object.assign(http, { request: lead });
  return {
    add: (match, whose) => {
      owners.push(whose);
      planned.add({ ...match, kind: 'reset' });
    },
    happened: (whose) => planned.all()[owners.indexOf(whose)]?.happened ?? 0,
    end: () => void Object.assign(http, { request }),
  };
}

function comingOf(options: RequestOptions, areaOfKey: (key: string) => number | null): Coming {
  const [path = '/'] = String(options.path ?? '/').split('?');
  const [, first = '', second = ''] = path.split('/');
  const method = String(options.method ?? 'GET').toUpperCase();
  const area = areaOfKey(keyIn(options.headers));
  if (first === 'carriers') return { target: second, method, path: path.slice(first.length + second.length + 2), area };
  if (first === 'oauth2') return { target: 'token', method, path, area };
  return { target: 'ims', method, path: path.slice(first.length + 1), area };
}

function keyIn(headers: RequestOptions['headers']): string {
  const entries = Object.entries(headers ?? {});
  return String(entries.find(([name]) => name.toLowerCase() === 'x-api-key')?.[1] ?? '');
}

/** Was free a moment ago; the system gives it to nobody else so soon. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
