import type { IncomingMessage, RequestListener } from 'node:http';
import { handleInTrouble } from '../faults/fault-effects.js';
import type { Faults } from '../faults/faults.js';
import type { RequestLog } from './request-log.js';
import type { Store } from '../store/store.js';

/** What answers below a part of the address. */
export interface Door {
  /** As in faults and the log; `null`: neither applies. */
  readonly target: string | null;
  /** Left out of the address when the handler sees it. */
  readonly mount: string;
  readonly handle: RequestListener;
}

interface Hall {
  /** By the first segment of the path; a carrier's by the first two. */
  readonly doors: ReadonlyMap<string, Door>;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly store: Store;
}

/** Leads every request to its door, writes it down, and lets the planned faults happen on the way. */
export function entrance(hall: Hall): RequestListener {
  return (request, response) => {
    const { path, search } = splitAddress(request.url ?? '/');
    const door = doorOf(hall, path);
    if (door === undefined) return void response.writeHead(404).end();
    const inside = path.slice(door.mount.length) || '/';
    request.url = `${inside}${search}`;
    if (door.target === null) return door.handle(request, response);
    const coming = { target: door.target, method: request.method ?? 'GET', path: inside, area: areaOf(hall, request) };
    const trouble = hall.faults.befalling(coming);
    const { latencyMs, mishap } = trouble;
    const query = search === '' ? {} : Object.fromEntries(new URLSearchParams(search));
    hall.requests.follow({ ...coming, query, latencyMs, fault: mishap?.kind ?? null }, request, response);
    handleInTrouble(trouble, { request, response }, () => door.handle(request, response));
  };
}

function doorOf(hall: Hall, path: string): Door | undefined {
  const [, first = '', second = ''] = path.split('/');
  return hall.doors.get(first === 'carriers' ? `${first}/${second}` : first);
}

function splitAddress(url: string): { readonly path: string; readonly search: string } {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, search: '' } : { path: url.slice(0, mark), search: url.slice(mark) };
}

function areaOf(hall: Hall, request: IncomingMessage): number | null {
  const key = request.headers['x-api-key'];
  return hall.store.areaOfKey(typeof key === 'string' ? key : undefined)?.contextId ?? null;
}
