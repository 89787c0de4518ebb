import type { Request, RequestHandler } from 'express';
import type { Json } from '../store/json.js';
import { readJson } from '../store/json.js';

/** One request and its response, as a client sees them. */
export interface ImsExchange {
  /** In upper case. */
  readonly method: string;
  /** The path below the version segment. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** `null` without a body, or when the body is not JSON. */
  readonly requestBody: Json;
  readonly status: number;
  readonly responseBody: Json;
}

/** Middleware that passes every JSON response to `tell`; it must stand before the routers that respond. */
export function exchangeTap(tell: (exchange: ImsExchange) => void): RequestHandler {
  return (request, response, next) => {
    const answer = response.json.bind(response);
    // Read here, because mounted routers shorten `request.path`.
    const { path } = request;
    response.json = (body: unknown) => {
      tell({
        method: request.method,
        path,
        query: new URL(request.originalUrl, 'http://localhost').searchParams,
        requestBody: bodyOf(request),
        status: response.statusCode,
        responseBody: readJson(JSON.stringify(body)),
      });
      return answer(body);
    };
    next();
  };
}

function bodyOf(request: Request): Json {
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body) || body.length === 0) return null;
  try {
    return readJson(body.toString('utf8'));
  } catch {
    return null;
  }
}
