import type { Request, RequestHandler } from 'express';
import type { Json } from '../store/json.js';
import { readJson } from '../store/json.js';

/** One request and its answer, as a client sees them. */
export interface ImsExchange {
  /** In capitals. */
  readonly method: string;
  /** Below the version segment. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** `null` without a body, or when it is no JSON. */
  readonly requestBody: Json;
  readonly status: number;
  readonly responseBody: Json;
}

/** Tells of every answer that is given as JSON; stands before whatever answers. */
export function exchangeTap(tell: (exchange: ImsExchange) => void): RequestHandler {
  return (request, response, next) => {
    const answer = response.json.bind(response);
    // Routers further in see less of it.
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
