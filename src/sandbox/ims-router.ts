import express from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Router } from 'express';
import { documentEndpoints } from './documents.js';
import type { Endpoint, Ims, ImsRequest } from './endpoint.js';
import { CONSIGNMENT, CONSIGNMENT_TYPO } from './endpoint.js';
import { eventMessageEndpoints } from './event-messages.js';
import { invocationEndpoints } from './invocations.js';
import type { Json } from './json.js';
import { readJson } from './json.js';
import { KeyLimits } from './key-limits.js';
import { masterDataEndpoints } from './master-data.js';
import { Refusal } from './refusal.js';
import { shipmentEndpoints } from './shipments.js';
import { shippingContainerEndpoints } from './shipping-containers.js';
import type { Switches } from './switches.js';
import type { Tokens } from './tokens.js';

/** Every endpoint there is; whatever is not here is answered as the gateway answers what it does not know. */
export function imsEndpoints(ims: Ims): readonly Endpoint[] {
  return [
    ...shipmentEndpoints(ims),
    ...shippingContainerEndpoints(ims),
    ...documentEndpoints(ims),
    ...masterDataEndpoints(ims),
    ...eventMessageEndpoints(ims),
    ...invocationEndpoints(ims),
  ];
}

/** The REST API below its version segment: a gateway that admits or turns away, then the application. */
export function imsRouter(ims: Ims, tokens: Tokens): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const admit = gateway(ims, tokens);
  const readBody = express.raw({ type: () => true, limit: '10mb' });
  for (const endpoint of imsEndpoints(ims)) {
    router.route(endpoint.path)[endpoint.method](admit(endpoint), requireJson, readBody, (request, response) => {
      response.json(endpoint.handle(readRequest(ims, request)));
    });
  }
  router.use((_request, response) => void response.status(403).json({ message: 'Missing Authentication Token' }));
  router.use(answerError);
  return router;
}

function gateway(ims: Ims, tokens: Tokens): (endpoint: Endpoint) => RequestHandler {
  const limits = new KeyLimits();
  return (endpoint) => (request, response, next) => {
    const scopes = tokens.scopesOf(request.headers.authorization);
    if (scopes === null) return void response.status(401).json({ message: 'Unauthorized' });
    const apiKey = request.get('x-api-key') ?? '';
    if (ims.store.areaOfKey(apiKey) === null || !isAdmitted(endpoint, scopes, ims.switches()))
      return void response.status(403).json({ message: 'Forbidden' });
    if (!limits.admit(apiKey, ims.now(), ims.switches()))
      return void response.status(429).json({ message: 'Too Many Requests' });
    next();
  };
}

function isAdmitted(endpoint: Endpoint, scopes: readonly string[], switches: Switches): boolean {
  if (endpoint.scopes.some((scope) => scopes.includes(scope))) return true;
  const asMeant = endpoint.scopes.includes(CONSIGNMENT_TYPO) && scopes.includes(CONSIGNMENT);
  return asMeant && !switches.strictScopeSpelling;
}

const requireJson: RequestHandler = (request, response, next) => {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  const hasBody = length !== '0' || encoding !== undefined;
  if (hasBody && !request.is('application/json'))
    return void response.status(415).json({ message: 'Unsupported Media Type' });
  next();
};

function readRequest(ims: Ims, request: Request): ImsRequest {
  const area = ims.store.areaOfKey(request.get('x-api-key'));
  if (area === null) throw new Error('a request without an area passed the gateway');
  const params = Object.entries(request.params).map(([name, value]) => [name, String(value)]);
  return {
    contextId: area.contextId,
    params: Object.fromEntries(params),
    query: new URL(request.originalUrl, 'http://localhost').searchParams,
    body: bodyOf(request.body),
  };
}

class UnreadableBody extends Error {
  readonly status = 400;
}

function bodyOf(body: unknown): Json {
  if (!Buffer.isBuffer(body) || body.length === 0) return null;
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

// eslint-disable-next-line max-params -- Express knows an error handler by its four parameters
const answerError: ErrorRequestHandler = (error: { status?: number } | Refusal, _request, response, next) => {
  if (response.headersSent) return next(error);
  if (error instanceof Refusal) return void response.status(422).json(error.body());
  const message = GATEWAY_MESSAGES.get(error.status ?? 500);
  if (message === undefined)
    return void response.status(500).json({ message: 'Internal server error', bug: String(error) });
  response.status(error.status ?? 500).json({ message });
};
