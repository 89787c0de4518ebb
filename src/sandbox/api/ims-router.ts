import express from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Response, Router } from 'express';
import type { Callers } from '../access/callers.js';
import type { ImsEndpoint, ImsRequest } from './endpoint.js';
import type { Ims } from '../ims.js';
import { MEANT } from './endpoint.js';
import type { Json } from '../store/json.js';
import { DEEPEST, hasHalfCharacter, isDeeperThan, readJson } from '../store/json.js';
import { KeyLimits } from '../access/key-limits.js';
import { ImsRefusal } from './refusal.js';
import { hasBody } from './request-log.js';
import type { Switches } from '../control/switches.js';
import type { Tokens } from '../access/tokens.js';

const MAX_BODY = '10mb';

export interface CallerRegisters {
  readonly tokens: Tokens;
  readonly callers: Callers;
}

/** The REST API below its version segment: the gateway admits or rejects a request, then the application handles it. */
export function imsRouter(ims: Ims, endpoints: readonly ImsEndpoint[], { tokens, callers }: CallerRegisters): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const admit = gateway(ims, tokens);
  const readRaw = express.raw({ type: () => true, limit: MAX_BODY });
  const readBody: RequestHandler = (request, response, next) =>
    hasBody(request) ? readRaw(request, response, next) : next();
  router.use(onlyKnownMethods);
  // One router for each first path segment: with one router for all, Express would match every request against a
  // hundred paths.
  for (const [segment, listed] of bySegment(endpoints)) {
    const part = express.Router({ caseSensitive: true, strict: true });
    part.use(withoutSlashAtEnd);
    for (const endpoint of listed) {
      const route = part.route(endpoint.path.slice(segment.length + 1) || '/');
      route[endpoint.method](isOpen(ims, endpoint), admit(endpoint), requireJson, readBody, (request, response) => {
        const caller = tokens.holderOf(request.headers.authorization);
        callers.during(caller, () => answer(ims, endpoint, request, response));
      });
    }
    router.use(`/${segment}`, part);
  }
  router.use((_request, response) => answerUnknown(response));
  router.use(answerError);
  return router;
}

function answerUnknown(response: Response): void {
  response.status(403).json({ message: 'Missing Authentication Token' });
}

/** An Express router would answer HEAD as GET, and OPTIONS by itself; the gateway knows neither method. */
const onlyKnownMethods: RequestHandler = ({ method }, response, next) => {
  if (method === 'HEAD' || method === 'OPTIONS') return answerUnknown(response);
  next();
};

function answer(ims: Ims, endpoint: ImsEndpoint, request: Request, response: Response): void {
  const elsewhere = redirection(ims, endpoint, request);
  if (elsewhere !== null) return void response.redirect(302, elsewhere);
  const read = readRequest(ims, endpoint, request);
  refuseHalfCharacters(endpoint, read.body);
  response.json(endpoint.handle(read));
}

/**
 * Only requests are checked, not rows: the control interface may store texts with a lone surrogate, as the real service
 * may hold some.
 */
function refuseHalfCharacters({ about, answer: { of } }: ImsEndpoint, body: Json): void {
  if (hasHalfCharacter(body))
    throw new ImsRefusal('invalid', about ?? of?.name ?? 'Resource', 'A text contains half of a character.');
}

function bySegment(endpoints: readonly ImsEndpoint[]): ReadonlyMap<string, readonly ImsEndpoint[]> {
  const segments = new Map<string, ImsEndpoint[]>();
  for (const endpoint of endpoints) {
    const segment = endpoint.path.split('/')[1] ?? '';
    segments.set(segment, [...(segments.get(segment) ?? []), endpoint]);
  }
  return segments;
}

/** The interface has no path `/shipments/`, but inside a mounted router that path looks like `/shipments`. */
const withoutSlashAtEnd: RequestHandler = (request, _response, next) => {
  const { originalUrl } = request;
  const mark = originalUrl.indexOf('?');
  next(originalUrl.at(mark - (mark < 0 ? 0 : 1)) === '/' ? 'router' : undefined);
};

/** Skips the route of an `in-use` endpoint while the switch `onlyDescribedPaths` is on. */
function isOpen(ims: Ims, endpoint: ImsEndpoint): RequestHandler {
  return (_request, _response, next) => {
    const closed = endpoint.beyondTables === 'in-use' && ims.switches().onlyDescribedPaths;
    next(closed ? 'route' : undefined);
  };
}

function gateway(ims: Ims, tokens: Tokens): (endpoint: ImsEndpoint) => RequestHandler {
  const limits = new KeyLimits();
  return (endpoint) => (request, response, next) => {
    const keyIsEnough = endpoint.scopes.length === 0;
    const caller = tokens.holderOf(request.headers.authorization);
    if (caller === null && !keyIsEnough) return void response.status(401).json({ message: 'Unauthorized' });
    const apiKey = request.get('x-api-key') ?? '';
    const isKnown = ims.store.areaOfKey(apiKey) !== null;
    if (!isKnown || !(keyIsEnough || isAdmitted(endpoint, caller?.scopes ?? [], ims.switches())))
      return void response.status(403).json({ message: 'Forbidden' });
    if (!limits.admit(apiKey, ims.now(), ims.switches()))
      return void response.status(429).json({ message: 'Too Many Requests' });
    next();
  };
}

function isAdmitted(endpoint: ImsEndpoint, scopes: readonly string[], switches: Switches): boolean {
  const asWritten = endpoint.scopes.some((scope) => scopes.includes(scope));
  const asMeant = endpoint.scopes.some((scope) => scopes.includes(MEANT[scope] ?? scope));
  return asWritten || (asMeant && !switches.strictScopeSpelling);
}

const requireJson: RequestHandler = (request, response, next) => {
  if (hasBody(request) && !request.is('application/json'))
    return void response.status(415).json({ message: 'Unsupported Media Type' });
  next();
};

const SECOND_TRY = 'redirected';

/**
 * The real `GET /shipments` may answer with a redirect; its description does not say when. With the switch on, the
 * sandbox redirects once, to the same URL with a marker in its query.
 */
function redirection(ims: Ims, endpoint: ImsEndpoint, request: Request): string | null {
  const may = endpoint.method === 'get' && endpoint.path === '/shipments' && ims.switches().redirectShipmentLists;
  if (!may || request.query[SECOND_TRY] !== undefined) return null;
  const [, search = ''] = request.originalUrl.split('?');
  return `/2/shipments?${search === '' ? '' : `${search}&`}${SECOND_TRY}=true`;
}

function readRequest(ims: Ims, endpoint: ImsEndpoint, request: Request): ImsRequest {
  const area = ims.store.areaOfKey(request.get('x-api-key'));
  if (area === null) throw new Error('a request without an area passed the gateway');
  const { originalUrl } = request;
  const body = bodyOf(request.body);
  if (body === undefined && endpoint.body?.kind === 'literal') throw new UnreadableBody('there is no value');
  return {
    contextId: area.contextId,
    params: textsOf(request.params),
    query: originalUrl.includes('?') ? new URLSearchParams(originalUrl.split('?')[1] ?? '') : NO_QUERY,
    body: body ?? null,
  };
}

const NO_QUERY = new URLSearchParams();

/** Express types a path parameter as text or a list; this makes every one text. */
function textsOf(params: Request['params']): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const name in params) texts[name] = String(params[name]);
  return texts;
}

class UnreadableBody extends Error {
  readonly status = 400;
}

/** The parsed JSON body; `undefined` when the request has none. */
function bodyOf(body: unknown): Json | undefined {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  const read = jsonIn(body);
  if (isDeeperThan(read, DEEPEST)) throw new UnreadableBody(`the body is nested deeper than ${DEEPEST} levels`);
  return read;
}

function jsonIn(body: Buffer): Json {
  try {
    return readJson(body.toString('utf8'));
  } catch (cause) {
    throw new UnreadableBody('the body is not JSON', { cause });
  }
}

const GATEWAY_MESSAGES = new Map([
  [400, 'Bad Request'],
  [413, 'Request Too Long'],
  [415, 'Unsupported Media Type'],
]);

const answerError: ErrorRequestHandler = (error: { status?: number } | ImsRefusal, _request, response, next) => {
  if (response.headersSent) return next(error);
  if (error instanceof ImsRefusal) return void response.status(422).json(error.body());
  const message = GATEWAY_MESSAGES.get(error.status ?? 500);
  if (message === undefined)
    return void response.status(500).json({ message: 'Internal server error', bug: String(error) });
  response.status(error.status ?? 500).json({ message });
};
