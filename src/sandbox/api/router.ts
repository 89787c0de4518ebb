import type { IncomingMessage, RequestListener } from 'node:http';
import { handleInTrouble } from '../faults/fault-effects.js';
import type { Faults } from '../faults/faults.js';
import type { RequestLog } from './request-log.js';
import type { Store } from '../store/store.js';

/** The handler of all paths below one prefix. */
export interface PrefixRoute {
  /** The target's name in faults and the request log; `null`: no faults apply, and requests are not logged. */
  readonly target: string | null;
  /** The path prefix; the handler sees the URL without it. */
  readonly mount: string;
  readonly handle: RequestListener;
}

interface Router {
  /** Keyed by the first path segment; routes of carriers by the first two. */
  readonly routes: ReadonlyMap<string, PrefixRoute>;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly store: Store;
}

/** Dispatches each request to its route, logs it, and applies the planned faults. */
export function routeRequests(router: Router): RequestListener {
  return (request, response) => {
    const { path, search } = splitAddress(request.url ?? '/');
    const route = routeOf(router, path);
    if (route === undefined) return void response.writeHead(404).end();
    const inside = path.slice(route.mount.length) || '/';
    request.url = `${inside}${search}`;
    if (route.target === null) return route.handle(request, response);
    const coming = {
      target: route.target,
      method: request.method ?? 'GET',
      path: inside,
      area: areaOf(router, request),
    };
    const trouble = router.faults.faultsFor(coming);
    const { latencyMs, fault } = trouble;
    const query = search === '' ? {} : Object.fromEntries(new URLSearchParams(search));
    router.requests.follow({ ...coming, query, latencyMs, fault: fault?.kind ?? null }, request, response);
    handleInTrouble(trouble, { request, response }, () => route.handle(request, response));
  };
}

function routeOf(router: Router, path: string): PrefixRoute | undefined {
  const [, first = '', second = ''] = path.split('/');
  return router.routes.get(first === 'carriers' ? `${first}/${second}` : first);
}

function splitAddress(url: string): { readonly path: string; readonly search: string } {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, search: '' } : { path: url.slice(0, mark), search: url.slice(mark) };
}

function areaOf(router: Router, request: IncomingMessage): number | null {
  const key = request.headers['x-api-key'];
  return router.store.areaOfKey(typeof key === 'string' ? key : undefined)?.contextId ?? null;
}
