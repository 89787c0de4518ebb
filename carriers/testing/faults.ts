import type { HttpPort } from '../contract/index.js';
import { type Fault, answering, cuttingShort, neverAnswering, resetting } from './carrier-server.js';

/** Faults that leave open whether the carrier handled the request. The names continue "after ...". */
export const LOST: readonly (readonly [string, Fault])[] = [
  ['status 500', answering(500, 'oops')],
  ['status 502 without a body', answering(502)],
  ['status 504 with a page', answering(504, '<html>gateway</html>')],
  ['status 408', answering(408)],
  ['status 499', answering(499, '{"message":"Client Closed Request"}', { 'content-type': 'application/json' })],
  ['a connection that is reset', resetting],
  ['an answer cut short', cuttingShort],
  ['no answer in time', neverAnswering],
];

/** Answers that no adapter can read; of those that may be an answer for "none", their JSON. */
export const UNREADABLE: readonly (readonly [string, Fault, string?])[] = [
  ['a page with status 200', answering(200, '<html>maintenance</html>', { 'content-type': 'text/html' })],
  ['status 200 without a body', answering(200)],
  ['an empty object with status 200', answering(200, '{}', { 'content-type': 'application/json' }), '{}'],
  ['an empty list with status 200', answering(200, '[]', { 'content-type': 'application/json' }), '[]'],
  ['null with status 200', answering(200, 'null', { 'content-type': 'application/json' }), 'null'],
  ['a redirect', answering(302, '', { location: '/elsewhere' })],
];

export const TOO_MANY: readonly [string, Fault] = ['status 429', answering(429)];

const SHORT_MS = 500;

/** The port, with a short wait where no answer will come; a busy machine may be late with any other answer. */
export function portFor(http: HttpPort, fault: Fault | null): HttpPort {
  if (fault !== neverAnswering) return http;
  return {
    send: (request) => http.send({ ...request, timeoutMs: SHORT_MS }),
    fetchLink: (url, limits) => http.fetchLink(url, { ...limits, timeoutMs: SHORT_MS }),
  };
}

/** The text of the last answer that a question got; `null`: none came. Whether the adapter understands it is the matter of another case. */
export async function lastAnswer(http: HttpPort, ask: (port: HttpPort) => Promise<unknown> | undefined) {
  let body: string | null = null;
  const listening: HttpPort = {
    ...http,
    send: async (request) => {
      const answer = await http.send(request);
      body = new TextDecoder().decode(answer.body).trim();
      return answer;
    },
  };
  await ask(listening)?.catch(() => null);
  return body as string | null;
}

/** The real exchange, with the JSON of the answer changed on its way. */
export function rewriting(http: HttpPort, change: (json: unknown) => unknown): HttpPort {
  return {
    ...http,
    send: async (request) => {
      const answer = await http.send(request);
      const json: unknown = JSON.parse(new TextDecoder().decode(answer.body));
      return { ...answer, body: new TextEncoder().encode(JSON.stringify(change(json))) };
    },
  };
}

export function reversed(json: unknown): unknown {
  return changeLists(json, (list) => [...list].reverse());
}

export function withoutLast(json: unknown): unknown {
  return changeLists(json, (list) => (list.length > 1 ? list.slice(0, -1) : list));
}

function changeLists(json: unknown, change: (list: readonly unknown[]) => readonly unknown[]): unknown {
  if (Array.isArray(json)) return change(json.map((item) => changeLists(item, change)));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, changeLists(value, change)]));
}
