import http from 'node:http';
import type { ClientRequest, RequestOptions } from 'node:http';
import type { Coming, FaultMatch } from '../../src/sandbox/faults/faults.js';
import { Faults } from '../../src/sandbox/faults/faults.js';
import { RandomStreams } from '../../src/sandbox/control/random.js';
import { CLOSED_PORT } from '../../carriers/testing/carrier-server.js';

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
export function startRefusals(areaOfKey: (key: string) => number | null): Refusals {
  const planned = new Faults(new RandomStreams(1));
  const owners: object[] = [];
  const { request } = http;
  const lead = (options: RequestOptions, onAnswer: Parameters<typeof request>[2]): ClientRequest => {
    const isRefused = planned.faultsFor(comingOf(options, areaOfKey)).fault !== null;
    return request(isRefused ? { ...options, port: CLOSED_PORT } : options, onAnswer);
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
