import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { HttpPort, HttpRequest } from '../../../carriers/contract/http-port.js';
import type { Moments } from './moments.js';

const current = new AsyncLocalStorage<string>();

/**
 * Every request has a moment when its answer is read; one that may change something also has one before it leaves and one
 * when all of it has left.
 */
export function watchHttp(port: HttpPort, moments: Moments): HttpPort {
  const change = <Answer>(name: string, send: () => Promise<Answer>) =>
    current.run(name, async () => {
      moments.reach(`${name} | before it leaves`);
      const answer = await send();
      moments.reach(`${name} | answer read`);
      return answer;
    });
  const read = async <Answer>(name: string, send: () => Promise<Answer>) => {
    const answer = await send();
    moments.reach(`${name} | heard`);
    return answer;
  };
  return {
    send: (request) => {
      const reads = request.method === 'GET' && request.effect !== 'change';
      return (reads ? read : change)(inWords(request), () => port.send(request));
    },
    fetchLink: (url, limits) => read(`link ${pathOf(url)}`, () => port.fetchLink(url, limits)),
  };
}

/** The library's own notices tell when the last byte of a request was handed to the system. */
export function watchWire(moments: Moments): void {
  subscribe('http.client.request.start', (notice) => {
    const name = current.getStore();
    if (name === undefined) return;
    (notice as { readonly request: ClientRequest }).request.once('finish', () =>
      moments.reach(`${name} | sent, answer not read`),
    );
  });
  subscribe('http.server.request.start', (notice) => atDoor(notice, 'arrives'));
  subscribe('http.server.response.finish', (notice) => atDoor(notice, 'answered'));

  function atDoor(notice: unknown, what: string): void {
    const { method, url } = (notice as { readonly request: IncomingMessage }).request;
    moments.reach(`${method} ${pathOf(`http://in${url ?? ''}`)} in | ${what}`);
  }
}

function inWords(request: HttpRequest): string {
  return `${request.method} ${pathOf(request.url)}${aboutBody(request.json)}`;
}

/** Ids, numbers and secrets of an address are left out. */
function pathOf(url: string): string {
  return new URL(url).pathname.replace(/^\/2\//, '/ims/').replace(/\/(?=[^/]*\d)(?!oauth2)[\w-]+(?=\/|$)/g, '/*');
}

function aboutBody(json: unknown): string {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return '';
  const { workStatus, fileName } = json as { readonly workStatus?: unknown; readonly fileName?: unknown };
  if (typeof workStatus === 'string') return ` ${workStatus}`;
  // A label, an error sheet and a paper are attached and printed by the same requests: each has moments of its own.
  if (typeof fileName === 'string') return ` ${/^[A-Z]+(_[A-Z]+)*/.exec(fileName)?.[0] ?? 'file'}`;
  const [first] = Object.keys(json);
  return first === undefined ? '' : ` ${first}`;
}
